"""Capstone 3: a small, complete agent harness. One loop, and every mechanism in a short module of its own.

`forge.harness.mechanisms` holds the table of all of them. Nothing is imported here: a mechanism costs only
those who use it.
"""

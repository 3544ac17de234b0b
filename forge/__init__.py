"""Forge: a small, correct implementation of how a long-running agent keeps its state."""

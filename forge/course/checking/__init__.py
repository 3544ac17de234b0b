"""Judge an answer: put it in the place of a function of forge, run the stage's tests, and say what was seen.

Nothing in here knows of stages, notebooks or what is kept. `check.check` is the way in.
"""

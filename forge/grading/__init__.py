"""Judge the notebooks that learners hand in."""

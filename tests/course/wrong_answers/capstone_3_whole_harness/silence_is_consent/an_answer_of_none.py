# Nobody gives no answer.


def nobody(_asked):
    """The answer when there is nobody to ask."""
    return None

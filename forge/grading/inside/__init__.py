"""What runs beside an answer while it is judged. It knows no expectation and decides nothing."""

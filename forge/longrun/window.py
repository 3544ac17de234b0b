"""A window: the text that a model reads, and what was said in it since it was opened."""

from __future__ import annotations

from ..errors import WindowFull


class Window:
    """An opening, and what is added to it. `capacity` is the number of characters that fit, or None."""

    def __init__(self, opening: str, capacity: int | None = None) -> None:
        self.opening, self.transcript, self.capacity = opening, "", capacity
        self.say("")

    @property
    def text(self) -> str:
        """All that the model reads."""
        return self.opening + self.transcript

    def say(self, text: str) -> None:
        """Add to the transcript. What does not fit raises `WindowFull`, and nothing was added."""
        size = len(self.text) + len(text)
        if self.capacity is not None and size > self.capacity:
            raise WindowFull(
                "the window is full",
                f"expected at most {self.capacity:,} characters, found {size:,}.",
                "Open a new window, with less in its opening.",
                capacity=self.capacity,
                size=size,
            )
        self.transcript += text

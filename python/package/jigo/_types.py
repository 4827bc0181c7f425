"""What arguments may be."""

from typing import Literal, SupportsIndex, TypeAlias

Size: TypeAlias = int | str | tuple[int, int]
"""Points on a side, a pair (width, height), or text such as "9x13"."""
Move: TypeAlias = str | SupportsIndex | tuple[int, int]
"""A name such as "C4" or "pass", a number, or a pair (column, row) from the top left."""
Color: TypeAlias = Literal["black", "white"]
Komi: TypeAlias = float | str

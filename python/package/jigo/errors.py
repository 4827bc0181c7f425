"""The exceptions of jigo. All are subclasses of :class:`Error`."""

__all__ = ["Error", "IllegalMove", "InvalidArgument", "InvalidRecord"]


class Error(Exception):
    """What all exceptions of jigo have in common."""


class InvalidArgument(Error, ValueError):
    """A size, rule set, policy, point or number that jigo does not know.

    The message says what it may be.
    """


class IllegalMove(Error, ValueError):
    """The rules forbid the move. The game is unchanged."""


class InvalidRecord(Error, ValueError):
    """A game record that cannot be read or replayed.

    The message says where.
    """

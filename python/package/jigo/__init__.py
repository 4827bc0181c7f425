"""Go as a library: exact rules, millions of games, statistics, proofs.

===================  ==================================================
:class:`Game`        moves, superko of every kind, scores, search, SGF
:class:`Board`       area, unconditional life, statuses with proofs
:func:`play`         many games of a policy, as an Arrow stream
:func:`positions`    positions of such games, as NumPy arrays
:func:`study`        fair komi, superko, seki and dead stones, measured
:func:`fair_komi`    the fair komi of margins, with an interval
:class:`VectorEnv`   many games side by side, to learn from
:mod:`jigo.errors`   the exceptions
===================  ==================================================

A million games of 9x9 as a data frame, and their fair komi::

    import jigo, polars

    games = jigo.play(size=9, games=1_000_000, rules="chinese", seed=1)
    frame = polars.DataFrame(games)
    study = jigo.study(9, rules="chinese", games=1_000_000)
    print(study.runs[0].fair_komi)

Points are numbered in rows from the top left, and the pass comes
after them. Margins are Black's points minus White's, before komi.
"""

from __future__ import annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING, Any as _Any, Literal as _Literal

from . import _types
from ._native import (
    Board,
    Chain,
    Estimate,
    FairKomi,
    Game,
    Games,
    Positions,
    Run,
    Score,
    Search,
    Solution,
    Study,
    Table,
    __version__,
    fair_komi,
    play,
    study,
)
from .errors import Error, IllegalMove, InvalidArgument, InvalidRecord

if _TYPE_CHECKING:
    from .environment import VectorEnv

__all__ = [
    "Board",
    "Chain",
    "Error",
    "Estimate",
    "FairKomi",
    "Game",
    "Games",
    "IllegalMove",
    "InvalidArgument",
    "InvalidRecord",
    "Positions",
    "Run",
    "Score",
    "Search",
    "Solution",
    "Study",
    "Table",
    "VectorEnv",
    "__version__",
    "fair_komi",
    "play",
    "positions",
    "study",
]


def positions(
    size: _types.Size = 9,
    games: int = 100_000,
    policy: str = "eye-safe",
    rules: str = "tromp-taylor",
    seed: int = 1,
    *,
    per_game: int | None = None,
    rate: float | None = None,
    komi: _types.Komi = 0,
    capped: _Literal["exclude", "include", "only"] = "exclude",
    **options: _Any,
) -> Positions:
    """Plays games and returns positions of them as NumPy arrays.

    Short for :func:`play` and then :meth:`Games.positions`: it takes the
    arguments of both. :class:`Positions` lists the arrays.
    """
    played = play(size, games, policy, rules, seed, **options)
    return played.positions(per_game=per_game, rate=rate, komi=komi, capped=capped)


def __getattr__(name: str) -> _Any:
    # Gymnasium takes longer to import than all the rest.
    if name == "VectorEnv":
        from .environment import VectorEnv

        return VectorEnv
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__

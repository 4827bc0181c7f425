"""Many games side by side, for reinforcement learning."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native, _types

try:
    import gymnasium
except ImportError:
    gymnasium = None  # type: ignore[assignment]

__all__ = ["VectorEnv"]

_Base: Any = object if gymnasium is None else gymnasium.vector.VectorEnv


class VectorEnv(_Base):
    """Games of Go in lockstep: one move in each game per step.

    It is a ``gymnasium.vector.VectorEnv`` where Gymnasium is installed.

    Both players act in turn through the same interface. Observations
    and rewards are those of the player to move, and of the player who
    has just moved. A game ends by two passes, and is truncated at the
    move limit; it begins anew in the same step (autoreset mode *same
    step*), and ``infos["final_obs"]`` has the last observations of the
    games that ended.

    Observations are uint8 arrays of shape (num_envs, 2 * history + 1,
    height, width): for each of the last ``history`` positions, the
    newest first, the stones of the player to move and those of the
    opponent; then a plane of ones if Black is to play, else of zeros.
    Actions are the numbers of moves: points in rows from the top left,
    then the pass. ``infos["action_mask"]``, a bool array of shape
    (num_envs, moves), says which are legal, superko included; other
    actions raise :class:`jigo.IllegalMove` and change nothing. Rewards
    are 1 for a win, -1 for a loss and 0 for a jigo or an unfinished
    game, by the counting of the rules with all stones alive.

    Args:
        num_envs: How many games.
        size: Points on a side, a pair (width, height), or text such as
            "9x13".
        rules: A rule set such as "chinese", or values joined with +.
        komi: Points added to White's score; the komi of the rules
            unless it is given.
        seed: Begins the random numbers of :meth:`sample`.
        history: Positions in an observation, 1 to 16.
        max_plies: The move limit, passes included; 3 per point unless
            it is given.
        threads: How many threads play; one per processor unless it is
            given.
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(
        self,
        num_envs: int,
        size: _types.Size = 9,
        rules: str = "tromp-taylor",
        komi: _types.Komi | None = None,
        seed: int = 1,
        *,
        history: int = 1,
        max_plies: int | None = None,
        threads: int | None = None,
    ) -> None:
        self._games = _native.Lockstep(num_envs, size, rules, komi, seed, history, max_plies, threads)
        self.num_envs = num_envs
        if gymnasium is not None:
            _, height, width = self._games.shape
            self.metadata = {**self.metadata, "autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP}
            self.single_observation_space = gymnasium.spaces.Box(0, 1, self._games.shape, np.uint8)
            self.single_action_space = gymnasium.spaces.Discrete(height * width + 1)
            self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
            self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[npt.NDArray[np.uint8], dict[str, Any]]:
        """Begins all games anew. Returns (observations, infos)."""
        observations, legal = self._games.reset(seed)
        return observations, {"action_mask": legal.view(np.bool_)}

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Plays a move in each game, by its number.

        Returns (observations, rewards, terminations, truncations, infos).
        In games that end, ``infos["final_obs"]`` and
        ``infos["final_margin"]`` are those of the end;
        ``infos["_final_obs"]`` says which these are.
        """
        (observations, legal), rewards, terminations, truncations, ended = self._games.step(actions)
        infos: dict[str, Any] = {"action_mask": legal.view(np.bool_)}
        if ended is not None:
            infos["_final_obs"], infos["final_obs"], infos["final_margin"] = ended
        return observations, rewards, terminations, truncations, infos

    def sample(self) -> npt.NDArray[np.int64]:
        """Returns a random legal action for each game.

        All points are equally likely; the pass is chosen only where no
        point is legal.
        """
        return self._games.sample()

    @property
    def to_play(self) -> npt.NDArray[np.int8]:
        """The player to move in each game: int8, 1 for Black and -1 for White."""
        return self._games.to_play

    @property
    def komi(self) -> float:
        """Points added to White's score."""
        return self._games.komi

    def close(self, **options: Any) -> None:
        """Does nothing: there is nothing to be closed."""

    def __repr__(self) -> str:
        _, height, width = self._games.shape
        return f"VectorEnv({self.num_envs} games, {width}x{height}, komi {self.komi})"

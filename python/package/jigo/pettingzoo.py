"""Go for PettingZoo: an AEC environment. Needs the package
``pettingzoo``.

The agents are ``black_0`` and ``white_0``.
"""

import gymnasium
import numpy as np
from pettingzoo import AECEnv  # type: ignore[import-untyped]
from pettingzoo.utils.wrappers import OrderEnforcingWrapper  # type: ignore[import-untyped]

from ._native import Game

__all__ = ["GoEnv", "env"]


def env(**options):
    """Returns a :class:`GoEnv` whose methods must be called in order."""
    return OrderEnforcingWrapper(GoEnv(**options))


class GoEnv(AECEnv):
    """A game of Go under exact rules, superko included.

    Observations are dicts: ``observation``, a uint8 array of shape (3,
    height, width) with the stones of the agent, those of the opponent,
    and ones if the agent is Black; and ``action_mask``, an int8 array
    of the legal actions. Actions are points in rows from the top left,
    then the pass. At the end the winner's reward is 1, the loser's -1;
    both are 0 for a jigo.

    Args:
        size: Points on a side, a pair (width, height), or text such as
            "9x13".
        rules: A rule set such as "chinese", or values joined with +.
        komi: Points added to White's score.
        max_plies: The move limit, passes included; 3 per point unless
            it is given.
    """

    metadata = {"name": "jigo_go_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, size=9, rules="tromp-taylor", komi=7.5, max_plies=None, render_mode=None):
        super().__init__()
        self._new_game = lambda: Game(size, rules)
        self.game = self._new_game()
        self.komi = komi
        width, height = self.game.size
        self.max_plies = 3 * width * height if max_plies is None else max_plies
        self.render_mode = render_mode
        self.possible_agents = ["black_0", "white_0"]
        observation = gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(0, 1, (3, height, width), np.uint8),
                "action_mask": gymnasium.spaces.Box(0, 1, (width * height + 1,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation)
        self.action_spaces = {agent: gymnasium.spaces.Discrete(width * height + 1) for agent in self.possible_agents}

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def reset(self, seed=None, options=None):
        self.game = self._new_game()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = f"{self.game.to_play}_0"

    def observe(self, agent):
        own = 1 if agent == "black_0" else -1
        stones = self.game.stones
        planes = np.stack([stones == own, stones == -own, np.full_like(stones, own == 1)]).astype(np.uint8)
        is_to_play = agent == self.agent_selection and not self.terminations[agent]
        legal = self.game.legal.astype(np.int8)
        return {"observation": planes, "action_mask": legal if is_to_play else np.zeros_like(legal)}

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self.game.play(action)
        if self.game.is_over:
            black = float(np.sign(self.game.score().margin - self.komi))
            self.rewards = {"black_0": black, "white_0": -black}
            self.terminations = dict.fromkeys(self.agents, True)
        elif len(self.game) >= self.max_plies:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = f"{self.game.to_play}_0"
        self._accumulate_rewards()

    def render(self):
        return repr(self.game)

    def close(self):
        pass

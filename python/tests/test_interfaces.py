"""The interfaces of Gymnasium and PettingZoo, by their own tests."""

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import jigo
import jigo.pettingzoo


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("options", [{"size": 5}, {"size": "4x3", "rules": "japanese", "komi": 0}])
def test_pettingzoo_accepts_the_environment(options):
    api_test(jigo.pettingzoo.env(**options), num_cycles=300)


@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_finds_the_same_games_again():
    seed_test(lambda: jigo.pettingzoo.env(size=5), num_cycles=50)


def test_pettingzoo_rewards_the_winner():
    env = jigo.pettingzoo.env(size=2, komi=0.5)
    env.reset()
    for action in (0, 4, 4):
        env.step(action)
    assert env.unwrapped.rewards == {"black_0": 1, "white_0": -1}
    assert all(env.unwrapped.terminations.values())


def test_gymnasium_takes_many_games():
    env = jigo.VectorEnv(4, 5, seed=1)
    assert isinstance(env, gymnasium.vector.VectorEnv)
    assert env.single_observation_space.shape == (3, 5, 5) and env.single_action_space.n == 26
    observations, infos = env.reset(seed=3)
    assert env.observation_space.contains(observations)
    counted = gymnasium.wrappers.vector.RecordEpisodeStatistics(jigo.VectorEnv(4, 3, seed=1))
    _, infos = counted.reset()
    ends = 0
    for _ in range(200):
        actions = np.array([np.flatnonzero(legal)[-2:][0] for legal in infos["action_mask"]])
        _, rewards, over, stopped, infos = counted.step(actions)
        assert counted.action_space.contains(actions)
        ends += (over | stopped).sum()
    assert ends > 4 and counted.episode_count == ends

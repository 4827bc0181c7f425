"""Games side by side."""

import numpy as np
import pytest

import jigo


def play_beside(env, games, steps, random):
    """Plays the same random moves in an environment and in games of their own, and compares all that is seen."""
    observations, infos = env.reset()
    for _ in range(steps):
        mask = infos["action_mask"]
        actions = np.array([random.choice(np.flatnonzero(legal)) for legal in mask])
        to_play = env.to_play
        observations, rewards, over, stopped, infos = env.step(actions)
        for index, game in enumerate(games):
            assert mask[index].tolist() == game.legal.tolist()
            assert to_play[index] == (1 if game.to_play == "black" else -1)
            game.play(int(actions[index]))
            assert over[index] == game.is_over
            if over[index] or stopped[index]:
                assert (infos["final_obs"][index, 0] == (game.stones == (1 if game.to_play == "black" else -1))).all()
                margin = game.score().margin
                assert infos["final_margin"][index] == margin and infos["_final_obs"][index]
                expected = np.sign((margin - env.komi) * to_play[index]) if over[index] else 0
                assert rewards[index] == expected
                games[index] = jigo.Game(game.size, game.rules)
            else:
                assert rewards[index] == 0
            sign = env.to_play[index]
            assert (observations[index, 0] == (games[index].stones == sign)).all()
            assert (observations[index, 1] == (games[index].stones == -sign)).all()
            assert (observations[index, -1] == (sign == 1)).all()


@pytest.mark.parametrize("size, rules", [("3x2", "tromp-taylor"), (4, "area+simple-ko+no-suicide"), (5, "japanese"), (9, "aga")])
def test_an_environment_plays_games(size, rules):
    env = jigo.VectorEnv(6, size, rules, max_plies=30)
    games = [jigo.Game(size, rules) for _ in range(6)]
    play_beside(env, games, 150, np.random.default_rng(1))


def test_history_is_that_of_the_same_game():
    env = jigo.VectorEnv(4, 3, history=3, max_plies=12)
    observations, infos = env.reset(seed=1)
    assert observations.shape == (4, 7, 3, 3) and observations.dtype == np.uint8
    past = [[np.zeros((2, 3, 3), np.uint8)] * 3 for _ in range(4)]
    for _ in range(100):
        observations, _, over, stopped, infos = env.step(env.sample())
        for index in range(4):
            # As Black and White, whoever is to play.
            planes = observations[index, :6].reshape(3, 2, 3, 3)
            planes = planes if env.to_play[index] == 1 else planes[:, ::-1]
            if over[index] or stopped[index]:
                past[index] = [np.zeros((2, 3, 3), np.uint8)] * 3
            else:
                past[index] = [planes[0], *past[index][:2]]
            assert (planes == np.array(past[index])).all()


def test_the_same_seed_gives_the_same_games_on_any_number_of_threads():
    def play(threads):
        env = jigo.VectorEnv(100, 5, seed=9, threads=threads)
        env.reset()
        return [env.step(env.sample())[0].copy() for _ in range(50)]

    assert all((one == two).all() for one, two in zip(play(1), play(4), strict=True))


def test_illegal_actions_change_nothing():
    env = jigo.VectorEnv(3, 5)
    env.reset()
    env.step([0, 1, 2])
    with pytest.raises(jigo.IllegalMove, match="B5"):
        env.step([3, 1, 4])
    _, _, _, _, infos = env.step([3, 3, 4])
    assert infos["action_mask"].sum() == 3 * 26 - 2 * 3
    for actions, words in [([0, 1], r"\(3,\)"), ([0.0, 1.0, 2.0], "float64"), ([9, 9, 26], "0 to 25"), ([9, 9, -1], "0 to 25")]:
        with pytest.raises(jigo.InvalidArgument, match=words):
            env.step(actions)

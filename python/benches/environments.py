#!/usr/bin/env python3
"""Compares environments for Go: steps per second with random legal actions that NumPy chooses.

usage: python python/benches/environments.py [--games 1024] [--size 9] [--seconds 10] [--rounds 3] [NAME ...]

Names: jigo, pgx, open_spiel, sente (Python 3.10 at most); those whose package is installed unless some are named. All play the same number of
games of the same size side by side, and begin those anew that end. They are measured in turn, several times, so that a machine that changes
its speed changes it for all; the figures are medians. "Inside" is the time in the environment alone, without the choice of actions.
"""

import argparse
import importlib.util
import statistics
import time

import numpy as np


class Jigo:
    package = "jigo"

    def __init__(self, games, size):
        import jigo

        self.env = jigo.VectorEnv(games, size, seed=1)
        _, infos = self.env.reset()
        self.mask = infos["action_mask"]

    def step(self, actions):
        *_, infos = self.env.step(actions)
        self.mask = infos["action_mask"]


class Pgx:
    package = "pgx"

    def __init__(self, games, size):
        import jax
        import pgx
        from pgx.experimental import auto_reset

        env = pgx.make({9: "go_9x9", 19: "go_19x19"}[size])
        self.state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), games))
        self.next = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
        self.keys = jax.random.split(jax.random.PRNGKey(2), games)
        self.mask = np.asarray(self.state.legal_action_mask)

    def step(self, actions):
        self.state = self.next(self.state, actions, self.keys)
        self.mask = np.asarray(self.state.legal_action_mask)


class OpenSpiel:
    package = "pyspiel"

    def __init__(self, games, size):
        import pyspiel

        self.game = pyspiel.load_game("go", {"board_size": size})
        self.states = [self.game.new_initial_state() for _ in range(games)]
        self.mask = np.array([state.legal_actions_mask() for state in self.states], bool)

    def step(self, actions):
        for index, action in enumerate(actions.tolist()):
            state = self.states[index]
            state.apply_action(action)
            if state.is_terminal():
                self.states[index] = self.game.new_initial_state()
            self.mask[index] = self.states[index].legal_actions_mask()


class Sente:
    """It lists the legal moves of a game, the last of which is to resign. Action n is the n-th of the others."""

    package = "sente"

    def __init__(self, games, size):
        import sente

        self.begin = lambda: sente.Game(size, sente.CHINESE)
        self.games = [self.begin() for _ in range(games)]
        self.moves = [game.get_legal_moves() for game in self.games]
        self.actions = np.arange(size * size + 1)
        self.look()

    def look(self):
        counts = np.array([len(moves) - 1 for moves in self.moves])
        self.mask = self.actions < counts[:, None]

    def step(self, actions):
        for index, action in enumerate(actions.tolist()):
            game = self.games[index]
            game.play(self.moves[index][action])
            if game.is_over():
                game = self.games[index] = self.begin()
            self.moves[index] = game.get_legal_moves()
        self.look()


ALL = {"jigo": Jigo, "pgx": Pgx, "open_spiel": OpenSpiel, "sente": Sente}


def measure(env, random, seconds):
    """Returns steps per second of all games together, in all and inside the environment."""
    rows = np.arange(len(env.mask) + 1) * env.mask.shape[1]
    begin, inside, steps = time.perf_counter(), 0.0, 0
    while time.perf_counter() - begin < seconds:
        legal = np.flatnonzero(env.mask)
        ends = np.searchsorted(legal, rows)
        chosen = ends[:-1] + (random.random(len(rows) - 1) * np.diff(ends)).astype(np.int64)
        actions = legal[chosen] - rows[:-1]
        before = time.perf_counter()
        env.step(actions)
        inside += time.perf_counter() - before
        steps += len(actions)
    return steps / (time.perf_counter() - begin), steps / inside


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1024)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[*ALL, []])
    args = parser.parse_args()
    names = args.names or [name for name in ALL if importlib.util.find_spec(ALL[name].package)]
    envs = {name: ALL[name](args.games, args.size) for name in names}
    random = np.random.default_rng(1)
    for env in envs.values():
        # Compiles what is compiled when it first runs, and lets games come to different lengths.
        measure(env, random, args.seconds / 4)
    found = {name: [] for name in names}
    for _ in range(args.rounds):
        for name, env in envs.items():
            found[name].append(measure(env, random, args.seconds / args.rounds))
    print(f"{args.games} games of {args.size}x{args.size}, steps per second")
    print(f"{'':12}{'all':>14}{'inside':>14}")
    for name in names:
        total, inside = (statistics.median(values) for values in zip(*found[name]))
        print(f"{name:12}{total:>14,.0f}{inside:>14,.0f}")


if __name__ == "__main__":
    main()

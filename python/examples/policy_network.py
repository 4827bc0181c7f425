"""Trains a small network on games of a search, and lets it play random play. Needs PyTorch; takes about two minutes."""

import math
import time

import numpy as np
import torch
from torch import nn

import jigo

SIZE, SECONDS, GAMES = 5, 60, 400


def planes(stones_own, stones_other):
    """What the network sees: the stones of the player to move and those of the opponent."""
    return torch.from_numpy(np.stack([stones_own, stones_other], axis=1).astype(np.float32))


def training_data():
    """Positions of games that a search played against itself, with the share of its visits that each move got."""
    boards, targets = [], []
    for batch in jigo.positions(SIZE, games=1500, policy="uct:playouts=60,opening=4", per_game=12, seed=1):
        inputs = batch["binaryInputNCHW"]
        boards.append(planes(inputs[:, 1], inputs[:, 2]))
        targets.append(torch.from_numpy(batch["policy"]))
    boards, targets = torch.cat(boards), torch.cat(targets)
    searched = targets.sum(dim=1) > 0
    return boards[searched], targets[searched]


def train(network, boards, targets):
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        rows = torch.randint(len(boards), (256,))
        loss = nn.functional.cross_entropy(network(boards[rows]), targets[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def play_random(network):
    """Plays games against random play, half of them with each colour, and returns the score: wins, and half of the jigos."""
    env = jigo.VectorEnv(GAMES, SIZE, komi=0, seed=2)
    observations, infos = env.reset()
    is_black = np.arange(GAMES) % 2 == 0
    scores = np.full(GAMES, np.nan)
    while np.isnan(scores).any():
        with torch.no_grad():
            logits = network(planes(observations[:, 0], observations[:, 1])).numpy()
        of_network = np.where(infos["action_mask"], logits, -np.inf).argmax(axis=1)
        is_networks = (env.to_play == 1) == is_black
        observations, rewards, over, stopped, infos = env.step(np.where(is_networks, of_network, env.sample()))
        ended = (over | stopped) & np.isnan(scores)
        scores[ended] = (np.where(is_networks, rewards, -rewards)[ended] + 1) / 2
    return scores


torch.manual_seed(1)
network = nn.Sequential(
    nn.Conv2d(2, 32, 3, padding=1), nn.ReLU(),
    nn.Conv2d(32, 32, 3, padding=1), nn.ReLU(),
    nn.Flatten(), nn.Linear(32 * SIZE * SIZE, SIZE * SIZE + 1),
)  # fmt: skip
boards, targets = training_data()
print(f"{len(boards)} positions; loss {train(network, boards, targets):.3f}")
scores = play_random(network)
mean, error = scores.mean(), 1.96 * scores.std() / math.sqrt(GAMES)
print(f"score against random play: {100 * mean:.1f} % ± {100 * error:.1f} (95 % interval) of {GAMES} games")
assert mean - error > 0.5, "no better than random play"

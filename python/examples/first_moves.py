"""How good each first move is: the mean margin of random games that begin with it, as a heat map. Needs matplotlib and Polars."""

import matplotlib.pyplot as plt
import numpy as np
import polars as pl

import jigo

SIZE = 7
games = pl.DataFrame(jigo.play(SIZE, games=300_000, seed=2)).filter(~pl.col("capped"))
first = games.with_columns(first=pl.col("moves").list.first()).group_by("first")
means = first.agg(pl.col("margin").mean()).filter(pl.col("first") < SIZE * SIZE)
board = np.full(SIZE * SIZE, np.nan)
board[means["first"].to_numpy()] = means["margin"].to_numpy()
plt.imshow(board.reshape(SIZE, SIZE))
plt.colorbar(label="Black's mean margin, points")
plt.savefig("first_moves.png")
print(np.round(board.reshape(SIZE, SIZE), 1))

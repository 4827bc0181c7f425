#!/usr/bin/env python3
"""Opens a jigo dataset in pyarrow, DuckDB and Polars and checks that all three see the games that were played.

usage: python scripts/check_dataset.py DATASET   (packages: scripts/requirements.txt)

Checks the number of games, game indices without gaps, and sums of plies and margins in each of the three; in pyarrow also every game's moves
against its other columns. Exits with status 1 and a message at the first difference.
"""

import json
import pathlib
import sys

import duckdb
import polars
import pyarrow.compute as pc
import pyarrow.dataset as pads


def expect(name, found, expected):
    if found != expected:
        sys.exit(f"{name}: found {found}, expected {expected}")


def check_moves(table, points):
    """Checks that each game's list of moves agrees with its counts. The code of a pass is the number of points."""
    for row in table.to_pylist():
        moves = row["moves"]
        name = f"game {row['game_index']}"
        expect(f"{name}: plies", row["plies"], len(moves))
        expect(f"{name}: passes", row["passes"], moves.count(points))
        if max(moves, default=0) > points:
            sys.exit(f"{name}: a move lies outside the board")
        stones = len(moves) - moves.count(points)
        left = row["black_stones"] + row["white_stones"]
        expect(f"{name}: stones", left + row["black_prisoners"] + row["white_prisoners"], stones)
        expect(f"{name}: margin", row["margin"], row["black_area"] - row["white_area"])
        expect(f"{name}: points", row["black_area"] + row["white_area"] + row["neutral"], points)
        if not row["capped"] and not row.get("cycle") and moves[-2:] != [points, points]:
            sys.exit(f"{name}: a finished game must end with two passes")


def main(path):
    root = pathlib.Path(path)
    manifest = json.loads((root / "manifest.json").read_text())
    run = manifest["run"]
    width, height = (int(side) for side in run["size"].split("x"))
    expect("manifest: complete", manifest["complete"], True)
    games = run["games"]

    arrow = pads.dataset(root / "data", format="parquet").to_table().sort_by("game_index")
    expect("pyarrow: games", arrow.num_rows, games)
    expect("pyarrow: game_index", arrow["game_index"].to_pylist(), list(range(games)))
    sums = (pc.sum(arrow["plies"]).as_py(), pc.sum(arrow["margin"]).as_py())
    if "moves" in arrow.column_names and str(arrow.schema.field("moves").type).startswith("list"):
        check_moves(arrow, width * height)

    glob = str(root / "data" / "*.parquet")
    query = f"select count(*), count(distinct game_index), sum(plies)::bigint, sum(margin)::bigint from '{glob}'"
    expect("DuckDB", duckdb.sql(query).fetchall()[0], (games, games, *sums))
    refused = f"select count(*) from (select unnest(refused) from '{glob}')"
    refused_events = duckdb.sql(refused).fetchall()[0][0]
    expect("pyarrow: refused", pc.sum(pc.list_value_length(arrow["refused"])).as_py() or 0, refused_events)

    frame = polars.scan_parquet(root / "data")
    found = frame.select(
        polars.len(),
        polars.col("game_index").n_unique(),
        polars.col("plies").cast(polars.Int64).sum().alias("plies_sum"),
        polars.col("margin").cast(polars.Int64).sum().alias("margin_sum"),
    ).collect()
    expect("Polars", found.row(0), (games, games, *sums))
    print(f"{games} games: pyarrow, DuckDB and Polars agree (plies {sums[0]}, margins {sums[1]}, refused draws {refused_events})")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])

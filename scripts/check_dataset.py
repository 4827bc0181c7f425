#!/usr/bin/env python3
"""Opens a jigo dataset in pyarrow, DuckDB and Polars and checks that all three see the games that were played.

usage: python scripts/check_dataset.py DATASET   (packages: scripts/requirements.txt)

Checks the number of games, game indices without gaps, and sums of plies and margins in each of the three; in pyarrow also every game's moves
against its other columns, and what its searches found. Exits with status 1 and a message at the first difference.
"""

import json
import pathlib
import re
import sys

import duckdb
import numpy as np
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


def check_searches(table, points, playouts, is_area):
    """Checks what the search for each ply found; a ply without visits was not searched."""
    for row in table.to_pylist():
        name = f"game {row['game_index']}"
        expect(f"{name}: lengths", (len(row["search_margin"]), len(row["search_share"])), (row["plies"], row["plies"]))
        visits = np.reshape(row["search_visits"], (row["plies"], points + 1))
        for ply, counts in enumerate(visits):
            place, margin, share = f"{name}, ply {ply}", row["search_margin"][ply], row["search_share"][ply]
            # Without the moves, the one with most visits, or a pass.
            move = row["moves"][ply] if isinstance(row.get("moves"), list) else counts.argmax() if counts.any() else points
            if counts.sum() == 0:
                expect(f"{place}: margin and share", (margin, share), (None, None))
                expect(f"{place}: a move without a search is a pass", move, points)
                continue
            expect(f"{place}: at most {playouts} visits", counts.sum() <= playouts, True)
            expect(f"{place}: share", share, np.float32(counts[move] / counts.sum()))
            expect(f"{place}: visits of the move played", counts[move], counts.max())
            if is_area:
                expect(f"{place}: margin {margin} within the board", abs(margin) <= points, True)


def check_ownership(table, points):
    """Checks that the points owned by each colour are as many as its area, and that games without a count have none."""
    for row in table.to_pylist():
        name = f"game {row['game_index']}"
        expect(f"{name}: ownership is null", row["ownership"] is None, row["capped"] or row.get("cycle", False))
        if row["ownership"] is not None:
            bits = np.unpackbits(np.frombuffer(row["ownership"], np.uint8).reshape(2, -1), axis=1)
            expect(f"{name}: ownership has bits after the last point", bits[:, points:].any(), False)
            expect(f"{name}: points with two owners", (bits[0] & bits[1]).any(), False)
            expect(f"{name}: areas", bits.sum(axis=1).tolist(), [row["black_area"], row["white_area"]])


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
    searches = re.match(r"uct:playouts=(\d+)", run["policy"])
    expect("pyarrow: columns of searches", "search_visits" in arrow.column_names, searches is not None)
    if searches:
        check_searches(arrow, width * height, int(searches[1]), run["rules"].startswith("area"))

    expect("pyarrow: column of ownership", "ownership" in arrow.column_names, run.get("ownership", False))
    if "ownership" in arrow.column_names:
        check_ownership(arrow, width * height)

    glob = str(root / "data" / "*.parquet")
    query = f"select count(*), count(distinct game_index), sum(plies)::bigint, sum(margin)::bigint from '{glob}'"
    expect("DuckDB", duckdb.sql(query).fetchall()[0], (games, games, *sums))
    refused = f"select count(*) from (select unnest(refused) from '{glob}')"
    refused_events = duckdb.sql(refused).fetchall()[0][0]
    expect("pyarrow: refused", pc.sum(pc.list_value_length(arrow["refused"])).as_py() or 0, refused_events)

    owned = None
    if "ownership" in arrow.column_names:
        owned = arrow.num_rows - arrow["ownership"].null_count
        query = f"select count(ownership), max(octet_length(ownership)) from '{glob}'"
        expect("DuckDB: ownership", duckdb.sql(query).fetchall()[0], (owned, 2 * -(-width * height // 8)))

    frame = polars.scan_parquet(root / "data")
    found = frame.select(
        polars.len(),
        polars.col("game_index").n_unique(),
        polars.col("plies").cast(polars.Int64).sum().alias("plies_sum"),
        polars.col("margin").cast(polars.Int64).sum().alias("margin_sum"),
    ).collect()
    expect("Polars", found.row(0), (games, games, *sums))
    if owned is not None:
        found = polars.scan_parquet(root / "data").select(polars.col("ownership").count()).collect().item()
        expect("Polars: ownership", found, owned)
    print(f"{games} games: pyarrow, DuckDB and Polars agree (plies {sums[0]}, margins {sums[1]}, refused draws {refused_events})")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])

#!/usr/bin/env python3
"""Compares imported games with their SGF files as sgfmill reads them.

usage: python scripts/check_import.py DATASET [FOLDER]      (packages: scripts/requirements.txt)

DATASET is what `jigo import` wrote; FOLDER is where it was run (default: here), to which its paths are relative. The files may be in tar archives.
For each game it compares size, moves with their players, setup, players, ranks, date, event, komi, handicap and result. Every file that sgfmill
reads must be imported or listed in faults.csv. Exits with status 1 and a message at the first difference.
"""

import collections
import csv
import json
import pathlib
import sys
import tarfile

import pyarrow.dataset as pads
from sgfmill import sgf, sgf_grammar

TEXTS = {"black": "PB", "white": "PW", "black_rank": "BR", "white_rank": "WR", "date": "DT", "event": "EV", "result": "RE"}


def expect(name, found, expected):
    if found != expected:
        sys.exit(f"{name}: the dataset has {found!r}, sgfmill {expected!r}")


def files(folder, path):
    """Yields name and content of every SGF file at a path."""
    place = folder / path
    if place.is_dir():
        for entry in sorted(place.iterdir()):
            yield from files(folder, f"{path}/{entry.name}")
    elif ".tar" in place.name or place.suffix in (".tgz", ".txz"):
        with tarfile.open(place) as archive:
            for member in archive:
                if member.isfile() and member.name.lower().endswith(".sgf"):
                    yield f"{path}/{member.name.removeprefix('./')}", archive.extractfile(member).read()
    elif place.suffix.lower() == ".sgf":
        yield path, place.read_bytes()


def code(point, size):
    """Returns the code of a point of sgfmill, whose rows count from the bottom; the code of a pass is the number of points."""
    return size * size if point is None else (size - 1 - point[0]) * size + point[1]


def text_of(root, name):
    """Returns the text of a property with one value, in the record's character set or else UTF-8, with bad bytes replaced."""
    if not root.has_property(name):
        return None
    charset = root.get_raw("CA").decode("ascii", "replace").strip() if root.has_property("CA") else "utf-8"
    return sgf_grammar.simpletext_value(root.get_raw(name)).decode(charset, "replace")


def moves_of(game, size):
    """Returns colour and code of each move of the main line."""
    found = []
    for node in game.get_main_sequence():
        color, point = node.get_move()
        if color is not None:
            found.append((color, code(point, size)))
    return found


def stored_moves(row):
    """Returns the same from a row: colours alternate except at the plies out of turn."""
    colors, color = "bw", row["first_player"][0]
    found = []
    for ply, move in enumerate(row["moves"]):
        if ply > 0 and ply not in row["out_of_turn"]:
            color = colors[1 - colors.index(color)]
        found.append((color, move))
    return found


def stones_of(game, size):
    """Returns the stones set up before the first move, in any node, by colour."""
    found = {}
    for node in game.get_main_sequence():
        for color, points in zip(("black", "white", "empty"), node.get_setup_stones()):
            found.update((code(point, size), color) for point in points)
        if node.get_move()[0] is not None:
            break
    return {(color, point) for point, color in found.items() if color != "empty"}


def compare(row, content, name):
    try:
        game = sgf.Sgf_game.from_bytes(content)
    except ValueError as error:
        sys.exit(f"{name}: sgfmill cannot read it: {error}")
    root, size = game.get_root(), game.get_size()
    expect(f"{name}: size", (row["width"], row["height"]), (size, size))
    expect(f"{name}: moves", stored_moves(row), moves_of(game, size))
    start = [edit for edit in row["setup"] if edit["edit"] == 0 and edit["point"] < size * size]
    expect(f"{name}: setup", {(edit["content"], edit["point"]) for edit in start if edit["content"] != "empty"}, stones_of(game, size))
    for column, property_name in TEXTS.items():
        expect(f"{name}: {column}", row[column], text_of(root, property_name))
    if root.has_property("KM"):
        expect(f"{name}: komi", row["komi"], root.get("KM"))
    if root.has_property("HA"):
        expect(f"{name}: handicap", row["handicap"], int(root.get_raw("HA")))
    winner = {"b": "black", "w": "white", None: None}[game.get_winner()]
    if winner:
        expect(f"{name}: winner", row["winner"], winner)


def main(path, folder):
    root = pathlib.Path(path)
    manifest = json.loads((root / "manifest.json").read_text(encoding="utf-8"))
    rows = collections.defaultdict(list)
    for row in pads.dataset(root / "data", format="parquet").to_table().to_pylist():
        rows[row["source_file"]].append(row)
    with open(root / "faults.csv", encoding="utf-8", newline="") as lines:
        faults = {fault["file"] for fault in csv.DictReader(lines)}
    games = skipped = 0
    for source in manifest["import"]["paths"]:
        for name, content in files(folder, source):
            found = sorted(rows.pop(name, []), key=lambda row: row["source_place"])
            if not found and name not in faults:
                sys.exit(f"{name}: neither imported nor in faults.csv")
            starts = [row["source_byte"] for row in found] + [len(content)]
            for row, start, end in zip(found, starts, starts[1:]):
                games += 1
                if row["width"] != row["height"]:
                    skipped += 1  # sgfmill knows square boards only
                    continue
                compare(row, content[start:end] if len(found) > 1 else content, f"{name}, game {row['source_place']}")
    if rows:
        sys.exit(f"{next(iter(rows))}: imported from no file there is")
    expect("games", manifest["games"], games)
    print(f"{games} games: the import and sgfmill agree ({skipped} on boards that sgfmill does not know; {len(faults)} files with faults)")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(sys.argv[1], pathlib.Path(sys.argv[2] if len(sys.argv) == 3 else "."))

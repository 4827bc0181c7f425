#!/usr/bin/env python3
"""Checks an export of `jigo export` against its dataset, with an independent implementation of the rules.

usage: python scripts/check_export.py DATASET EXPORT [GAMES]   (packages: scripts/requirements.txt)

Accepts every format. The games of the export must be those that sampling by index selects. For GAMES of them (default 200) a small board in
Python recomputes everything from the dataset's moves: boards, liberties, forbidden points, ownership and scores of arrays, rows of tables, moves of
records. Filters other than --sample and --capped are not checked. Exits with status 1 and a message at the first difference.
"""

import csv
import io
import json
import pathlib
import re
import sys

import numpy as np
import pyarrow.dataset as pads

MASK = 2**64 - 1
BLACK, WHITE = 0, 1


def expect(name, found, expected):
    same = np.array_equal(found, expected) if isinstance(found, np.ndarray) else found == expected
    if not same:
        sys.exit(f"{name}: found {found}, expected {expected}")


def mix64(word):
    word = (word + 0x9E3779B97F4A7C15) & MASK
    word = ((word ^ word >> 30) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ word >> 27) * 0x94D049BB133111EB) & MASK
    return word ^ word >> 31


def drawn(seed, word, salt):
    return mix64((mix64(seed ^ int.from_bytes(salt, "big")) + word) & MASK)


def takes_game(seed, game, rate):
    return drawn(seed, game, b"games") < int(rate * 2**64)


def sampled_plies(seed, game, plies, options):
    key = drawn(seed, game, b"plies")
    hashes = {ply: mix64((key + ply) & MASK) for ply in range(plies)}
    if "position-rate" in options:
        bound = int(float(options["position-rate"]) * 2**64)
        return [ply for ply in hashes if hashes[ply] < bound]
    return sorted(sorted(hashes, key=hashes.get)[: int(options["positions-per-game"])])


class Game:
    """A board with its history, made of dictionaries and sets: slow and simple."""

    def __init__(self, width, height, rules):
        self.width, self.height, self.rules = width, height, rules
        self.stones, self.to_play = {}, BLACK
        self.before = [(frozenset(), BLACK)]

    def beside(self, point):
        x, y = point
        near = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        return [(x, y) for x, y in near if 0 <= x < self.width and 0 <= y < self.height]

    def chain(self, stones, point):
        """Returns a chain and its liberties."""
        chain, liberties, todo = {point}, set(), [point]
        while todo:
            for near in self.beside(todo.pop()):
                if near not in stones:
                    liberties.add(near)
                elif stones[near] == stones[point] and near not in chain:
                    chain.add(near)
                    todo.append(near)
        return chain, liberties

    def after(self, point):
        """Returns the stones after a move on an empty point."""
        stones = {**self.stones, point: self.to_play}
        for near in self.beside(point):
            if stones.get(near) == 1 - self.to_play:
                chain, liberties = self.chain(stones, near)
                if not liberties:
                    for stone in chain:
                        del stones[stone]
        chain, liberties = self.chain(stones, point)
        if not liberties:
            for stone in chain:
                del stones[stone]
        return stones

    def is_suicide(self, point):
        stones = self.after(point)
        return point not in stones

    def is_forbidden(self, point):
        """Tells whether simple ko or superko forbids a move. Forbidden suicides, and those of one stone, do not count here."""
        if self.is_suicide(point):
            single = not any(self.stones.get(near) == self.to_play for near in self.beside(point))
            if single or "no-suicide" in self.rules:
                return False
        position = frozenset(self.after(point).items())
        if len(self.before) > 1 and position == self.before[-2][0]:
            return True
        if "positional-superko" in self.rules:
            return any(position == earlier for earlier, _ in self.before)
        if "situational-superko" in self.rules:
            return (position, 1 - self.to_play) in self.before
        return False

    def play(self, point):
        if point is not None:
            if point in self.stones or self.is_forbidden(point):
                sys.exit(f"a stored move on {point} is illegal")
            self.stones = self.after(point)
        self.to_play = 1 - self.to_play
        self.before.append((frozenset(self.stones.items()), self.to_play))

    def owners(self):
        """Returns the owner of each point by area, in row-major order; None for neutral points."""
        owners = []
        for point in self.points():
            if point in self.stones:
                owners.append(self.stones[point])
                continue
            region, todo, colors = {point}, [point], set()
            while todo:
                for near in self.beside(todo.pop()):
                    if near in self.stones:
                        colors.add(self.stones[near])
                    elif near not in region:
                        region.add(near)
                        todo.append(near)
            owners.append(colors.pop() if len(colors) == 1 else None)
        return owners

    def points(self):
        return [(x, y) for y in range(self.height) for x in range(self.width)]


def signed(color):
    """Returns 1 for Black, -1 for White, 0 for None."""
    return 0 if color is None else 1 - 2 * color


class Dataset:
    def __init__(self, path):
        root = pathlib.Path(path)
        self.run = json.loads((root / "manifest.json").read_text())["run"]
        self.width, self.height = (int(side) for side in self.run["size"].split("x"))
        self.area = self.width * self.height
        self.seed = int(self.run["run_seed"])
        self.rules = self.run["rules"].split("+")
        table = pads.dataset(root / "data", format="parquet").to_table()
        self.games = {row["game_index"]: row for row in table.to_pylist()}
        self.is_searched = "search_visits" in table.column_names

    def moves(self, game):
        moves = self.games[game]["moves"]
        return np.frombuffer(moves, dtype="<u2").tolist() if isinstance(moves, bytes) else moves

    def points(self, game):
        """Returns the moves as points, None for a pass."""
        return [None if move == self.area else (move % self.width, move // self.width) for move in self.moves(game)]

    def margin(self, game):
        """Returns Black's points minus White's by the counting of the rules."""
        row = self.games[game]
        if "area" in self.rules:
            return row["margin"]
        black = row["black_area"] - row["black_stones"] + row["white_prisoners"]
        return black - (row["white_area"] - row["white_stones"] + row["black_prisoners"])

    def expected_games(self, options):
        rate = float(options.get("sample", 1))
        keep = {"exclude": lambda row: not row["capped"], "include": lambda row: True, "only": lambda row: row["capped"]}
        keep = keep[options["capped"]]
        return [game for game, row in sorted(self.games.items()) if keep(row) and takes_game(self.seed, game, rate)]


def check_planes(name, bits, game, history):
    own, other = game.to_play, 1 - game.to_play
    for index, point in enumerate(game.points()):
        stone = game.stones.get(point)
        expected = [True, stone == own, stone == other]
        count = len(game.chain(game.stones, point)[1]) if stone is not None else 0
        expected += [count == number for number in (1, 2, 3)]
        expected.append(stone is None and game.is_forbidden(point))
        expected += [False, False]
        expected += [len(history) > age and history[-1 - age] == point for age in range(5)]
        expected += [False] * 8
        expect(f"{name}, point {point}: planes", bits[:, index].astype(bool).tolist(), expected)


def expected_globals(dataset, history, komi, to_play):
    rules, values = dataset.rules, np.zeros(19, np.float32)
    for age in range(min(5, len(history))):
        values[age] = history[-1 - age] is None
    values[5] = np.float32(komi if to_play == WHITE else -komi) / np.float32(20)
    if "simple-ko" not in rules:
        values[6], values[7] = 1, 0.5 if "positional-superko" in rules else -0.5
    values[8], values[9] = "suicide" in rules, "territory" in rules
    values[10], values[11] = "seki-tax" in rules or "group-tax" in rules, "group-tax" in rules
    values[14] = bool(history) and history[-1] is None
    return values


def expected_targets(dataset, index, ply, komi, to_play):
    row, values = dataset.games[index], np.zeros(64, np.float32)
    if not row["capped"]:
        # A cycle is a draw without a count.
        is_counted = not row.get("cycle", False)
        score = dataset.margin(index) - komi if is_counted else 0
        score = score if to_play == BLACK else -score
        values[0], values[1] = (score > 0) + 0.5 * (score == 0), (score < 0) + 0.5 * (score == 0)
        values[3] = values[20] = score
        values[27] = is_counted
    values[25] = values[26] = 1
    values[28] = ply + 1 < row["plies"]
    values[36:41] = 1
    values[47] = komi if to_play == WHITE else -komi
    values[48], values[51], values[52] = "area" in dataset.rules, ply, row["capped"]
    return values


def check_search(dataset, name, row, stored, ply):
    visits = np.reshape(stored["search_visits"], (stored["plies"], dataset.area + 1))[ply]
    expect(f"{name}: policy", row["policy"], (visits / max(visits.sum(), 1)).astype(np.float32))
    margin = stored["search_margin"][ply]
    expect(f"{name}: search_margin", None if np.isnan(row["search_margin"]) else float(row["search_margin"]), margin)


def check_rows(dataset, index, rows, komi):
    """Returns all rows of one game: dictionaries of arrays' values, by ply."""
    points, moves, stored = dataset.points(index), dataset.moves(index), dataset.games[index]
    game = Game(dataset.width, dataset.height, dataset.rules)
    for ply, point in enumerate(points):
        if ply in rows:
            row, name = rows[ply], f"game {index}, ply {ply}"
            bits = np.unpackbits(row["binaryInputNCHWPacked"], axis=1)
            expect(f"{name}: padding", bits[:, dataset.area :].any(), False)
            check_planes(name, bits[:, : dataset.area], game, points[:ply])
            expect(f"{name}: globalInputNC", row["globalInputNC"], expected_globals(dataset, points[:ply], komi, game.to_play))
            targets = expected_targets(dataset, index, ply, komi, game.to_play)
            expect(f"{name}: globalTargetsNC", row["globalTargetsNC"], targets)
            policy = np.zeros((2, dataset.area + 1), np.int16)
            policy[0, moves[ply]] = 1
            if ply + 1 < len(moves):
                policy[1, moves[ply + 1]] = 1
            else:
                policy[1] = 1
            expect(f"{name}: policyTargetsNCMove", row["policyTargetsNCMove"], policy)
            stones = [signed(game.stones.get(point)) for point in game.points()]
            expect(f"{name}: stones", row["stones"].ravel().tolist(), stones)
            plain = {"game_index": index, "ply": ply, "move": moves[ply], "margin": stored["margin"], "to_play": game.to_play}
            for field, value in plain.items():
                expect(f"{name}: {field}", int(row[field]), value)
            if dataset.is_searched:
                check_search(dataset, name, row, stored, ply)
        game.play(point)
    owners = game.owners()
    expect(f"game {index}: margin", stored["margin"], owners.count(BLACK) - owners.count(WHITE))
    has_no_count = stored["capped"] or stored.get("cycle", False)
    owned = [0 if has_no_count else signed(owner) for owner in owners]
    owned = np.array(owned, np.int8).reshape(dataset.height, dataset.width)
    if "ownership" in stored:
        bits = np.packbits([[owner == color for owner in owners] for color in (BLACK, WHITE)], axis=1).tobytes()
        expect(f"game {index}: ownership of the dataset", stored["ownership"], None if has_no_count else bits)
    result = None if stored["capped"] else 0 if has_no_count else dataset.margin(index) - komi
    for ply, row in rows.items():
        expect(f"game {index}, ply {ply}: ownership", row["ownership"], owned)
        expect(f"game {index}, ply {ply}: valueTargetsNCHW", row["valueTargetsNCHW"], owned[np.newaxis] * (1 - 2 * (ply % 2)))
        expect(f"game {index}, ply {ply}: result", None if np.isnan(row["result"]) else float(row["result"]), result)


def check_npz(dataset, root, manifest, options, sample):
    types = {
        "binaryInputNCHWPacked": ("uint8", (22, -(-dataset.area // 8))),
        "globalInputNC": ("float32", (19,)),
        "policyTargetsNCMove": ("int16", (2, dataset.area + 1)),
        "globalTargetsNC": ("float32", (64,)),
        "valueTargetsNCHW": ("int8", (1, dataset.height, dataset.width)),
        "game_index": ("uint64", ()),
        "ply": ("uint16", ()),
        "move": ("uint16", ()),
        "margin": ("int16", ()),
        "to_play": ("uint8", ()),
        "stones": ("int8", (dataset.height, dataset.width)),
        "ownership": ("int8", (dataset.height, dataset.width)),
        "result": ("float32", ()),
    }
    if dataset.is_searched:
        types |= {"policy": ("float32", (dataset.area + 1,)), "search_margin": ("float32", ())}
    found, chosen = [], {}
    for entry in manifest["files"]:
        with np.load(root / entry["file"]) as archive:
            expect(f"{entry['file']}: members", sorted(archive.files), sorted(types))
            expect(f"{entry['file']}: run", json.loads(archive.zip.comment)["run"], dataset.run)
            arrays = {name: archive[name] for name in types}
        for name, (dtype, shape) in types.items():
            expect(f"{entry['file']}: {name}", (arrays[name].dtype.name, arrays[name].shape), (dtype, (entry["rows"], *shape)))
        for number, pair in enumerate(zip(arrays["game_index"].tolist(), arrays["ply"].tolist())):
            found.append(pair)
            if pair[0] in sample:
                chosen.setdefault(pair[0], {})[pair[1]] = {name: arrays[name][number] for name in types}
    plies = lambda game: sampled_plies(dataset.seed, game, dataset.games[game]["plies"], options)
    expect("games and plies", found, [(game, ply) for game in sample.all for ply in plies(game)])
    for index, rows in chosen.items():
        check_rows(dataset, index, rows, float(options["komi"]))
    return f"{len(found)} positions, {sum(map(len, chosen.values()))} made again"


def check_csv(dataset, root, manifest, options, sample):
    lists = ["refused", "repeated"] + ["forbidden"] * (dataset.run["census"] == "candidates")
    rows = list(csv.DictReader(io.StringIO((root / "games.csv").read_text())))
    expect("games.csv: games", [int(row["game_index"]) for row in rows], sample.all)
    for row in rows:
        stored = dataset.games[int(row["game_index"])]
        left_out = ("moves", "ownership")
        stored = {name: value for name, value in stored.items() if name not in left_out and not name.startswith("search_")}
        expected = {name: str(len(value) if name in lists else value).lower() for name, value in stored.items()}
        expect(f"game {row['game_index']}", row, expected)
    if len(manifest["files"]) > 1:
        events = list(csv.DictReader(io.StringIO((root / "events.csv").read_text())))
        expected = []
        for game in sample.all:
            for name in lists:
                for event in dataset.games[game][name]:
                    event = {field: str(value).lower() for field, value in event.items()}
                    expected.append({"game_index": str(game), "list": name, **event})
        expect("events.csv", events, expected)
    return f"{len(rows)} rows"


def check_sgf(dataset, root, manifest, options, sample):
    games = []
    for entry in manifest["files"]:
        text = (root / entry["file"]).read_text()
        records = re.split(r"(?m)^\(;", text)[1:]
        expect(f"{entry['file']}: games", len(records), entry["rows"])
        for record in records:
            index = int(re.search(r"GN\[game (\d+)\]", record)[1])
            moves = re.findall(r";([BW])\[([a-y]{2})?\]", record)
            expect(f"game {index}: colours", [color for color, _ in moves], [("B", "W")[ply % 2] for ply in range(len(moves))])
            points = [(ord(point[0]) - 97, ord(point[1]) - 97) if point else None for _, point in moves]
            expect(f"game {index}: moves", points, dataset.points(index))
            drawn = dataset.games[index].get("cycle", False)
            score = 0 if drawn else dataset.margin(index) - float(options["komi"])
            result = "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score):g}"
            result = "Void" if dataset.games[index]["capped"] else result
            expect(f"game {index}: result", re.search(r"RE\[([^]]*)\]", record)[1], result)
            games.append(index)
    expect("games", games, sample.all)
    return f"{len(games)} records"


class Sample(set):
    """The games to recompute, spread over all exported ones."""

    def __init__(self, games, count):
        super().__init__(games[:: max(1, len(games) // count)])
        self.all = games


def main(dataset, export, count="200"):
    dataset, root = Dataset(dataset), pathlib.Path(export)
    manifest = json.loads((root / "export.json").read_text())
    expect("export.json: complete", manifest["complete"], True)
    expect("export.json: run", manifest["run"], dataset.run)
    options = dict(re.findall(r"--([a-z-]+)=(\S+)", manifest["command"]))
    games = dataset.expected_games(options)
    check = {"npz": check_npz, "csv": check_csv, "sgf": check_sgf}[options["to"]]
    summary = check(dataset, root, manifest, options, Sample(games, int(count)))
    expect("export.json: games", manifest["counts"], {"games_read": len(dataset.games), "games_kept": len(games)})
    print(f"{options['to']}: {len(games)} of {len(dataset.games)} games, {summary}: all as the dataset has it")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])

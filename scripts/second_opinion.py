#!/usr/bin/env python3
"""Compares the statuses that jigo proves in final positions with those that GNU Go estimates.

usage: python scripts/second_opinion.py [--jigo PROGRAM] [--gnugo PROGRAM] [--limit VISITS] [--games N] FILE...

Each FILE is
- an SGF game, or an archive of such games (tar, compressed or not), from which it takes the first N by name with a counted result other than zero, or
- lines of JSON with `id` and `rows`, the rows of a board from the top as strings of `X`, `O` and `.`.

Compares the last positions under simple ko without suicide, each board once. Prints every disagreement with its board, and a table of chains by
their status for jigo and for GNU Go. GNU Go is a second opinion, not the truth. Needs only Python 3.10, GNU Go 3.8 and a release build
(`cargo build --release`).
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COUNTED = re.compile(rb"(?<![A-Z])RE\[[BW]\+([0-9]+(?:\.[0-9]+)?)\]")
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
# The statuses that both programs have; jigo's others depend on the player to move or on ko, for which GNU Go has no word.
COMPARED = ("alive", "seki", "dead")


def main():
    options = parse()
    table = collections.Counter()
    stones = collections.Counter()
    seen = set()
    for name, text in positions_of(options):
        if text in seen:
            continue
        try:
            judged = statuses(options, text)
        except subprocess.CalledProcessError as error:
            print(f"{name}: {error.stderr.strip()}", file=sys.stderr)
            continue
        chains, size = judged["chains"], [int(side) for side in judged["size"].split("x")]
        theirs = opinions(options, chains, size)
        seen.add(text)
        disagreements = []
        for chain in chains:
            opinion = theirs.get(chain["stones"][0], "none")
            table[chain["status"], opinion] += 1
            stones[chain["proof"] == "none"] += len(chain["stones"])
            if chain["status"] in COMPARED and chain["status"] != opinion:
                chain_name = f"{chain['color']} {chain['stones'][0]}"
                disagreements.append(f"{chain_name}: jigo {chain['status']}, GNU Go {opinion}")
        if disagreements:
            print("\n".join([name, board(chains, size), *disagreements]), end="\n\n")
    report(len(seen), table, stones)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("files", metavar="FILE", nargs="+", type=pathlib.Path)
    parser.add_argument("--jigo", default=str(ROOT / "target/release/jigo"), help="the command (default: the release build)")
    parser.add_argument("--gnugo", default="/usr/games/gnugo", help="GNU Go (default: %(default)s)")
    parser.add_argument("--limit", default="20k", help="states that one of jigo's searches may visit (default: %(default)s)")
    parser.add_argument("--games", type=int, default=100, help="maximum number of games from an archive (default: %(default)s)")
    return parser.parse_args()


def positions_of(options):
    """Yields name and text, SGF or a diagram, of each position."""
    for path in options.files:
        if tarfile.is_tarfile(path):
            with tarfile.open(path) as archive:
                members = sorted((member for member in archive if member.isfile()), key=lambda member: member.name)
                counted = ((member.name, archive.extractfile(member).read()) for member in members)
                counted = ((name, text) for name, text in counted if is_counted(text))
                for _, (name, text) in zip(range(options.games), counted):
                    yield name, text
        elif path.suffix == ".sgf":
            yield path.name, path.read_bytes()
        else:
            for line in path.read_text().splitlines():
                record = json.loads(line)
                yield record["id"], "".join(" ".join(row) + "\n" for row in record["rows"]).encode()


def is_counted(text):
    result = COUNTED.search(text)
    return result is not None and float(result[1]) > 0


def statuses(options, text):
    """Returns the output of `jigo status`."""
    suffix = ".sgf" if text.lstrip().startswith(b"(") else ".txt"
    with tempfile.NamedTemporaryFile(suffix=suffix) as file:
        file.write(text)
        file.flush()
        command = [options.jigo, "status", file.name, "--json", "--limit", options.limit, "--rules", "japanese"]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def opinions(options, chains, size):
    """Returns GNU Go's status of every stone, by the name of its point."""
    with tempfile.NamedTemporaryFile("w", suffix=".sgf") as file:
        file.write(f"(;GM[1]FF[4]SZ[{size[0]}]KM[0]")
        for color in ("Black", "White"):
            stones = [stone for chain in chains if chain["color"] == color for stone in chain["stones"]]
            file.write(f"A{color[0]}" + "".join(f"[{sgf_point(stone, size)}]" for stone in stones) if stones else "")
        file.write(")")
        file.flush()
        commands = f"loadsgf {file.name}\n" + "".join(f"final_status_list {status}\n" for status in COMPARED) + "quit\n"
        command = [options.gnugo, "--mode", "gtp", "--japanese-rules", "--simple-ko", "--forbid-suicide"]
        output = subprocess.run(command, input=commands, check=True, capture_output=True, text=True).stdout
    answers = output.split("\n\n")[1 : 1 + len(COMPARED)]
    if len(answers) < len(COMPARED) or not all(answer.startswith("=") for answer in answers):
        sys.exit(f"GNU Go answered {output!r}")
    return {stone: status for status, answer in zip(COMPARED, answers) for stone in answer[1:].split()}


def sgf_point(stone, size):
    return "abcdefghijklmnopqrstuvwxyz"[COLUMNS.index(stone[0])] + "abcdefghijklmnopqrstuvwxyz"[size[1] - int(stone[1:])]


def board(chains, size):
    """Returns a diagram with the signs of `jigo status`."""
    marks = {"alive": " ", "seki": "=", "unsettled": "!", "ko": "*", "dead": "-", "unknown": "?"}
    colors = {"Black": "X", "White": "O"}
    signs = {stone: colors[chain["color"]] + marks[chain["status"]] for chain in chains for stone in chain["stones"]}
    rows = ("".join(signs.get(f"{COLUMNS[x]}{y}", ". ") for x in range(size[0])).rstrip() for y in range(size[1], 0, -1))
    header = " " * 3 + " ".join(COLUMNS[: size[0]])
    return "\n".join([header, *(f"{size[1] - index:2} {row}" for index, row in enumerate(rows))])


def report(positions, table, stones):
    opinions = sorted({opinion for _, opinion in table}, key="alive seki dead none".split().index)
    print(f"{positions} positions; rows: jigo, columns: GNU Go, in chains\n")
    print("".join(f"{name:>10}" for name in ["", *opinions, "all"]))
    for status in "alive seki unsettled ko dead unknown".split():
        counts = [table[status, opinion] for opinion in opinions]
        if any(counts):
            print(f"{status:>10}" + "".join(f"{count:10}" for count in [*counts, sum(counts)]))
    compared = sum(count for (status, _), count in table.items() if status in COMPARED)
    same = sum(table[status, status] for status in COMPARED)
    proved = table.total() - sum(count for (status, _), count in table.items() if status == "unknown")
    print(f"\n{proved} of {table.total()} chains proved, with {stones[False]} of {stones.total()} stones")
    print(f"{same} of {compared} that can be compared agree")


if __name__ == "__main__":
    main()

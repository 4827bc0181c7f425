"""Checks a file of `jigo solve --proof` by the rules of Go alone, on whole boards.

usage: python3 scripts/check_proof [--self-test] FILE   (FILE may be compressed with gzip)

The script shares nothing with jigo: go.py has the rules, bounds.py and history.py say how the two kinds of proofs are checked. With --self-test it also
damages the file in 200 ways, and requires that every damage is refused which changes what is proved. Exits with status 1 and one line if anything is
wrong. Needs only Python 3.10.
"""

import argparse
import collections
import gzip
import hashlib
import io
import random
import re
import sys
import zlib

import bounds
import history
from go import COLORS, COLUMNS, Refused, State, read_ko, require, rules_for

MAX_BYTES = 1 << 26
TITLE = "jigo proof 1"
FIELDS = {
    "board": r"[0-9]{1,3}x[0-9]{1,3}", "suicide": "suicide|no-suicide", "history": r"[a-z -]+", "position": "[XO.]+", "open": "[?.]+",
    "to-play": "Black|White", "ko": "-|[A-Z][0-9]+", "claim": r"(?:Black|White) -?[0-9]{1,3}", "states": "[0-9]{1,8}",
}  # fmt: skip


def read_head(lines, first):
    """Reads what a proof is about, from line number `first` on. Returns the fields with the numbers of their lines, and the number of the next line."""
    require(lines[first - 1] == TITLE, first, "a proof must begin with `jigo proof 1`.")
    fields, numbers, at = {}, {}, first
    for name, pattern in FIELDS.items():
        text = lines[at] if at < len(lines) else ""
        if name == "history" and not text.startswith("history "):
            continue
        at += 1
        matched = re.fullmatch(f"{name} ({pattern})", text)
        require(matched, at, f"there must be a line `{name} ...` of the right form.")
        fields[name], numbers[name] = matched[1], at
    return fields, numbers, at + 1


def check_section(lines, first):
    """Checks a proof. Returns a report, the lines without which the file proves less, and the number of the line after it."""
    fields, numbers, at = read_head(lines, first)
    width, height = map(int, fields["board"].split("x"))
    require(width * height > 0, numbers["board"], "a board has at least one point.")
    most = (history if "history" in fields else bounds).MAX_POINTS
    require(width * height <= most, numbers["board"], f"the board has {width * height} points, but this script checks such proofs of at most {most}.")
    rules = rules_for(width, height, fields["suicide"] == "suicide")
    require(len(fields["position"]) == rules.count, numbers["position"], f"a position has {rules.count} points.")
    require(rules.is_legal_board(fields["position"]), numbers["position"], "a chain in the position has no liberty.")
    require(len(fields["open"]) == rules.count, numbers["open"], f"there must be {rules.count} characters for the points.")
    require("." not in fields["open"], numbers["open"], "a part of the board is not open, but this script checks whole boards only.")
    player = COLORS[fields["to-play"]]
    start = State(fields["position"], player, read_ko(rules, fields["position"], player, fields["ko"], numbers["ko"]), False)
    prover, margin = fields["claim"].split()
    prover, margin = COLORS[prover], int(margin)
    ko_rule = fields.get("history")
    require(ko_rule is None or ko_rule in history.KO_RULES, numbers.get("history"), "there must be a ko rule; this script knows no taxes.")
    known = {} if ko_rule is None else []
    end = at + int(fields["states"])
    for line in range(at, end):
        require(line <= len(lines), line, "the file ends before the last of its states.")
        read_line = bounds.read_reply if ko_rule is None else history.read_node
        read_line(rules, prover, lines[line - 1], line, known)
    if ko_rule is None:
        walk = bounds.Walk(rules, start, prover, margin, known, first)
        return bounds.report(walk, first, lines), walk.needed, end
    graph = history.Graph(rules, start, prover, margin, ko_rule, known, first)
    return history.report(graph, first, lines), set(range(at, end)), end


def check(data):
    """Checks the text of a file. Returns a report of each claim, and the lines without which the file proves less."""
    text, mark, last = data.rpartition(b"sha256 ")
    number = text.count(b"\n") + 1
    matched = mark and (not text or text.endswith(b"\n")) and re.fullmatch(rb"([0-9a-f]{64})\n", last)
    require(matched, max(1, data.count(b"\n")), "the file must end with a line `sha256 ...`.")
    require(matched[1].decode() == hashlib.sha256(text).hexdigest(), number, "the digest is not that of the lines before.")
    require(text.isascii(), 1, "the file must be plain text.")
    lines, first, reports, needed = text.decode().split("\n")[:-1], 1, [], set()
    require(lines, 1, "there must be at least one proof.")
    while first <= len(lines):
        found, lines_needed, first = check_section(lines, first)
        reports.append(found)
        needed |= lines_needed
    return reports, needed


def read(path):
    """Returns the text of a file, which may be compressed."""
    with open(path, "rb") as file:
        data = file.read(MAX_BYTES + 1)
    if data.startswith(b"\x1f\x8b"):
        with gzip.open(io.BytesIO(data)) as file:
            data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise Refused(f"the file has more than {MAX_BYTES >> 20} MiB.")
    return data


def sealed(lines):
    """Returns a file of these lines, with their digest."""
    text = "".join(f"{line}\n" for line in lines).encode()
    return text + f"sha256 {hashlib.sha256(text).hexdigest()}\n".encode()


def damage(lines, kind, needed, chance):
    """Returns the lines with damage of this kind. Where a state is damaged, it is one that is needed."""
    lines, at = list(lines), chance.choice(sorted(needed)) - 1
    heads = [number for number, line in enumerate(lines) if line == TITLE]
    head = max(number for number in heads if number < at)
    fields, numbers, _ = read_head(lines, head + 1)
    place = {name: number - 1 for name, number in numbers.items()}
    state = lines[at].split(" ")
    # Where a state's stones, ko, move, and last number stand.
    columns = dict(zip(("stones", "ko", "move", "number"), (0, 1, 2, 3) if "history" not in fields else (0, 2, 4, -1)))
    width, height = map(int, fields["board"].split("x"))
    points = [f"{COLUMNS[x]}{y + 1}" for y in range(height) for x in range(width)]
    if kind in columns:
        column = columns[kind]
        if kind == "stones":
            stone = chance.randrange(len(state[0]))
            state[0] = state[0][:stone] + chance.choice("XO.") + state[0][stone + 1 :]
        elif kind == "ko":
            state[column] = chance.choice(["-", *points])
        elif kind == "move":
            state[column] = chance.choice(["pass", *points])
        elif state[column].isdigit():
            state[column] = str(chance.randrange(int(state[column]) + 3))
        lines[at] = " ".join(state)
    elif kind == "margin":
        player, margin = fields["claim"].split()
        lines[place["claim"]] = f"claim {player} {int(margin) + chance.randint(1, 3)}"
    elif kind == "header":
        names = ["board 2x3", "board 9x9", "suicide suicide", "suicide no-suicide", "open ???.", "to-play Black", "to-play White", "ko A1"]
        names += [f"history {name}" for name in history.KO_RULES if "history" in fields]
        name = chance.choice(names)
        lines[place[name.split()[0]]] = name
    elif kind == "count":
        lines[place["states"]] = f"states {int(fields['states']) + chance.choice([-1, 1])}"
    elif kind == "removed":
        lines[place["states"]] = f"states {int(fields['states']) - 1}"
        del lines[at]
    elif kind == "doubled":
        lines[place["states"]] = f"states {int(fields['states']) + 1}"
        lines.insert(at, lines[at])
    elif kind == "truncated":
        del lines[chance.randrange(heads[-1] + 1, len(lines)) :]
    return lines


def self_test(data):
    """Damages a file that holds in 100 ways, each with the old digest and with a new one."""
    _, needed = check(data)
    require(needed, 1, "no state of the file is needed, so that nothing can be tested.")
    lines, chance = data.decode().split("\n")[:-2], random.Random(1)
    valid = collections.Counter()
    kinds = ("stones", "ko", "move", "number", "margin", "header", "count", "removed", "doubled", "truncated")
    for kind in 10 * kinds:
        damaged = lines
        while damaged == lines:
            damaged = damage(lines, kind, needed, chance)
        text = "".join(f"{line}\n" for line in damaged).encode()
        for digest, is_new in ((data[data.rindex(b"sha256 ") :], False), (sealed(damaged)[len(text) :], True)):
            try:
                check(text + digest)
            except Refused:
                continue
            # Another reply may win as well, and other rules or more points may be proved by the same replies.
            if not is_new or kind not in ("move", "number", "margin", "header"):
                first = next(number for number, pair in enumerate(zip(lines, damaged), 1) if pair[0] != pair[1])
                raise Refused(f"line {first}: a damage was not found ({kind}, {'new' if is_new else 'old'} digest).")
            valid[kind] += 1
    kept = "".join(f", {count} with another {kind} proved anew" for kind, count in valid.items())
    return f"100 damaged files with the old digest: 100 refused\n100 with a new digest: {100 - valid.total()} refused{kept}"


def main():
    parser = argparse.ArgumentParser(prog="check_proof", description="Checks proofs of jigo by the rules of Go alone.")
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--self-test", action="store_true", help="also damage the file and require that this is found")
    options = parser.parse_args()
    try:
        data = read(options.file)
        print("\n".join(check(data)[0]), flush=True)
        if options.self_test:
            print(self_test(data))
    except (Refused, OSError, EOFError, zlib.error) as error:
        sys.exit(f"{options.file}: {error}")


if __name__ == "__main__":
    main()

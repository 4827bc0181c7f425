#!/usr/bin/env python3
"""Draws docs/pictures/jigo.svg, the picture of the README, from a report of the default study.

usage: python scripts/picture.py [--check] [--jigo PROGRAM] REPORT

REPORT is the folder that `jigo study` wrote. The board is the end of a game that PROGRAM plays from seed 1; the numbers come from REPORT's
summary.json. With --check nothing is written, and the exit status is 1 if the picture in docs differs. Needs only Python 3.10.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys

PICTURE = pathlib.Path(__file__).resolve().parent.parent / "docs/pictures/jigo.svg"
SIZE = 9

STYLE = """
text { font: 14px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; fill: #1a1f26; }
.head { font-weight: 600; font-size: 15px; } .small { font-size: 12px; fill: #566270; }
.card { fill: #ffffff; stroke: #d9dfe6; } .grid { stroke: #d9dfe6; } .axis { stroke: #566270; }
.board { fill: #f0dfba; } .line { stroke: #8d7750; } .black { fill: #17191c; } .white { fill: #fbfaf6; stroke: #8d7750; }
.arrow { stroke: #566270; stroke-width: 2; fill: none; } .tip { fill: #566270; }
.komi { stroke: #0072b2; fill: #0072b2; } .superko { stroke: #d55e00; fill: #d55e00; } .thin { fill: none; stroke-opacity: .5; }
"""


def number(value):
    return f"{value:.1f}".rstrip("0").rstrip(".")


def text(x, y, words, kind="", anchor="start"):
    return f'<text class="{kind}" x="{number(x)}" y="{number(y)}" text-anchor="{anchor}">{words}</text>'


def line(kind, x1, y1, x2, y2):
    return f'<line class="{kind}" x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}"/>'


def final_board(jigo):
    """Returns the stones at the end of a game of the policy eye-safe, as rows of X, O and dots."""
    moves = "".join(f"genmove {color}\n" for color in ["b", "w"] * 400)
    said = subprocess.run(
        [jigo, "gtp", "--size", str(SIZE), "--seed", "1"], input=moves, capture_output=True, text=True, check=True
    ).stdout
    played = [answer.lstrip("= ").strip() for answer in said.split("\n\n")]
    # The game ends with the first two passes in a row.
    count = next(index for index, pair in enumerate(zip(played, played[1:]), 2) if pair == ("pass", "pass"))
    moves = "".join(f"genmove {color}\n" for color in (["b", "w"] * count)[:count])
    said = subprocess.run(
        [jigo, "gtp", "--size", str(SIZE), "--seed", "1"], input=moves + "showboard\n", capture_output=True, text=True, check=True
    ).stdout
    rows = [row.split()[1 : SIZE + 1] for row in said.split("\n\n")[count].splitlines() if row.strip()[:1].isdigit()]
    if [len(row) for row in rows] != [SIZE] * SIZE:
        sys.exit(f"showboard has changed:\n{said.split(chr(10) * 2)[count]}")
    return rows


def board(rows, left, top, cell):
    edge = cell * SIZE
    parts = [f'<rect class="board" x="{left}" y="{top}" width="{edge}" height="{edge}" rx="4"/>']
    middle = lambda index: (index + 0.5) * cell
    for index in range(SIZE):
        parts.append(line("line", left + middle(0), top + middle(index), left + middle(SIZE - 1), top + middle(index)))
        parts.append(line("line", left + middle(index), top + middle(0), left + middle(index), top + middle(SIZE - 1)))
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            if sign in "XO":
                color = {"X": "black", "O": "white"}[sign]
                parts.append(
                    f'<circle class="{color}" cx="{number(left + middle(x))}" cy="{number(top + middle(y))}" r="{number(0.46 * cell)}"/>'
                )
    return parts


def arrow(left, right, height):
    tip = f'<path class="tip" d="M{right} {height} l-9 -5 v10 z"/>'
    return [line("arrow", left, height, right - 8, height), tip]


def chart(kind, title, points, left, top, width, height):
    """Draws estimates with intervals by board size."""
    highest = max(upper for _, _, _, upper in points)
    step = 10 ** math.floor(math.log10(highest))
    step = next(part * step for part in (0.2, 0.5, 1.0, 2.0) if highest / (part * step) <= 5)
    y = lambda value: top + height - height * value / (1.08 * highest)
    x = lambda index: left + width * (index + 0.5) / len(points)
    parts = [text(left - 26, top - 14, title, "head")]
    value = 0
    while value * step <= highest * 1.05:
        parts.append(line("grid", left, y(value * step), left + width, y(value * step)))
        parts.append(text(left - 7, y(value * step) + 4, f"{value * step:g}", "small", "end"))
        value += 1
    joined = " ".join(f"{number(x(index))},{number(y(point[1]))}" for index, point in enumerate(points))
    parts.append(f'<polyline class="{kind} thin" points="{joined}"/>')
    for index, (name, estimate, lower, upper) in enumerate(points):
        parts.append(line(kind, x(index), y(max(lower, 0)), x(index), y(upper)))
        parts.append(f'<circle class="{kind}" cx="{number(x(index))}" cy="{number(y(estimate))}" r="4"/>')
        parts.append(text(x(index), top + height + 18, name, "small", "middle"))
    parts.append(line("axis", left, top + height, left + width, top + height))
    return parts


def picture(summary, rows):
    cells = summary["cells"]
    name = lambda cell: cell["setting"]["size"].replace("x", "×")
    komi, superko = [], []
    for cell in cells:
        fair = cell["finished"]["fair_komi"]["estimate"]
        komi.append((name(cell), fair["estimate"], fair["interval"]["lower"], fair["interval"]["upper"]))
        rate = cell["finished"]["superko_rejected_games"]
        superko.append((name(cell), *(100 * value for value in (rate["share"], rate["interval"]["lower"], rate["interval"]["upper"]))))
    games = f"{sum(cell['games'] for cell in cells):,}"
    title = "jigo: boards, rules and policies in; exact counts and estimates with intervals out"
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 330" role="img" aria-labelledby="title">',
        f'<title id="title">{title}</title><style>{STYLE}</style>',
        '<rect class="card" x=".5" y=".5" width="959" height="329" rx="10"/>',
        text(24, 40, "input", "head"),
    ]
    words = ["boards from 1×1 to 25×25", "area or territory", "three ko rules, suicide or not", "four policies", "a seed"]
    parts += [text(24, 68 + 24 * index, word) for index, word in enumerate(words)]
    parts += [text(24, 212, "or real games, as SGF"), text(24, 236, "and as archives")]
    parts += arrow(218, 256, 150)
    parts += [text(272, 40, f"{games} games", "head")]
    parts += board(rows, 272, 56, 22)
    parts += [text(272, 276, "played by the rules to two passes;", "small"), text(272, 294, "game i of a seed never changes", "small")]
    parts += arrow(484, 522, 150)
    parts += chart("komi", "fair komi, points", komi, 568, 54, 360, 92)
    parts += chart("superko", "games that superko affects, %", superko, 568, 206, 360, 76)
    parts += [text(928, 320, "with 95 % intervals; and seki, dead stones, lengths, ownership, cycles", "small", "end"), "</svg>"]
    return "\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", type=pathlib.Path, metavar="REPORT")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--jigo", default="target/release/jigo")
    options = parser.parse_args()
    drawn = picture(json.loads((options.report / "summary.json").read_text()), final_board(options.jigo))
    if not options.check:
        PICTURE.parent.mkdir(exist_ok=True)
        PICTURE.write_text(drawn)
    elif not PICTURE.exists() or PICTURE.read_text() != drawn:
        sys.exit(f"{PICTURE} is not the picture of {options.report}: draw it again with `python scripts/picture.py {options.report}`")


if __name__ == "__main__":
    main()

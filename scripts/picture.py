#!/usr/bin/env python3
"""Draws docs/pictures/strength.svg, the picture of the README: the fair komi of each board against the playouts for each move.

usage: python scripts/picture.py [--check] [CSV]

CSV is the strength.csv of a study, as docs/strength/curve.csv. With --check nothing is written, and the exit status is 1 if the
picture in docs differs. Needs only Python 3.10.
"""

import argparse
import csv
import math
import pathlib
import sys

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
CURVE, PICTURE = DOCS / "strength/curve.csv", DOCS / "pictures/strength.svg"
COLUMNS, WIDTH, HEIGHT = 3, 320, 176

STYLE = """
text { font: 14px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; fill: #1a1f26; }
.head { font-weight: 600; font-size: 15px; } .small { font-size: 12px; fill: #566270; }
.card { fill: #ffffff; stroke: #d9dfe6; } .grid { stroke: #d9dfe6; } .axis { stroke: #566270; }
.komi { stroke: #0072b2; fill: #0072b2; } .thin { fill: none; stroke-opacity: .5; stroke-width: 1.5; }
.best { stroke: #d55e00; stroke-dasharray: 5 4; stroke-width: 1.5; } .best-name { font-size: 12px; fill: #a84a00; }
"""


def number(value):
    return f"{value:.1f}".removesuffix(".0")


def text(x, y, words, kind="", anchor="start"):
    return f'<text class="{kind}" x="{number(x)}" y="{number(y)}" text-anchor="{anchor}">{words}</text>'


def line(kind, x1, y1, x2, y2):
    return f'<line class="{kind}" x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}"/>'


def panel(board, rows, left, top):
    """Draws the fair komi of a board with its intervals. The players without a search stand a little left of the others."""
    width, height = WIDTH - 72, HEIGHT - 62
    points = [{name: float(row[name]) for name in ("playouts", "fair_komi", "lower_95", "upper_95")} for row in rows]
    known = next((float(row["known"]) for row in rows if row["known"]), None)
    values = [point[name] for point in points for name in ("lower_95", "upper_95")] + [0.0] + [known or 0.0]
    low, high = min(values), 1.08 * max(values)
    step = next(step for step in (1, 2, 5, 10, 20, 50) if (high - low) / step <= 5)
    fewest, most = min(point["playouts"] for point in points if point["playouts"]), points[-1]["playouts"]
    place = lambda playouts: math.log10(playouts or fewest / 3.2) - math.log10(fewest / 3.2)
    x = lambda playouts: left + 8 + (width - 16) * place(playouts) / place(most)
    y = lambda komi: top + height * (high - komi) / (high - low)
    parts = [text(left - 26, top - 14, board.replace("x", "×"), "head")]
    for komi in range(math.ceil(low / step) * step, math.floor(high) + 1, step):
        parts.append(line("grid", left, y(komi), left + width, y(komi)))
        parts.append(text(left - 7, y(komi) + 4, f"{komi}".replace("-", "−"), "small", "end"))
    if known is not None:
        parts.append(line("best", left, y(known), left + width, y(known)))
        parts.append(text(left + width, top - 14, f"perfect play {known:g}", "best-name", "end"))
    joined = " ".join(f"{number(x(point['playouts']))},{number(y(point['fair_komi']))}" for point in points)
    parts.append(f'<polyline class="komi thin" points="{joined}"/>')
    for point in points:
        at = x(point["playouts"])
        parts.append(line("komi", at, y(point["lower_95"]), at, y(point["upper_95"])))
        parts.append(f'<circle class="komi" cx="{number(at)}" cy="{number(y(point["fair_komi"]))}" r="3.5"/>')
        exponent = math.log10(point["playouts"] or 1)
        if exponent == int(exponent):
            parts.append(text(at, top + height + 17, f"{int(point['playouts']):,}", "small", "middle"))
    parts.append(line("axis", left, top + height, left + width, top + height))
    return parts


def picture(rows):
    boards = {}
    for row in rows:
        boards.setdefault(row["size"], []).append(row)
    lines = -(-len(boards) // COLUMNS)
    width, height = COLUMNS * WIDTH, 44 + lines * HEIGHT + 38
    title = "The fair komi of each board, by how many playouts the players make for each move"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title">',
        f'<title id="title">{title}</title><style>{STYLE}</style>',
        f'<rect class="card" x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="10"/>',
        text(24, 30, "Fair komi in points, against playouts for each move", "head"),
    ]
    for index, (board, points) in enumerate(boards.items()):
        parts += panel(board, points, 44 + index % COLUMNS * WIDTH, 84 + index // COLUMNS * HEIGHT)
    note = "0 playouts: random play. Lines: 95 % intervals. Perfect play: solved up to 5×5, beyond that what strong programs agree on."
    parts += [text(24, height - 16, note, "small"), "</svg>"]
    return "\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("curve", type=pathlib.Path, nargs="?", default=CURVE, metavar="CSV")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    with open(options.curve, newline="") as file:
        drawn = picture(list(csv.DictReader(file)))
    if not options.check:
        PICTURE.parent.mkdir(exist_ok=True)
        PICTURE.write_text(drawn)
    elif not PICTURE.exists() or PICTURE.read_text() != drawn:
        sys.exit(f"{PICTURE} is not the picture of {options.curve}: draw it again with `python scripts/picture.py`")


if __name__ == "__main__":
    main()

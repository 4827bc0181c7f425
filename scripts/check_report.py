#!/usr/bin/env python3
"""Opens the pages that jigo writes in Chromium and steps through their games as a reader would.

usage: python scripts/check_report.py [--jigo PROGRAM] [--screenshots FOLDER] [--accessibility] REPORT...   (packages: scripts/requirements.txt; and Chromium)

REPORT is a page, or a folder with a report.html or a differences.html. Exits with status 1 and a message at the first difference. Checks that
- nothing is loaded and the console stays silent;
- every position shown, by keys, buttons and slider, is the one that sgfmill finds in the game's SGF, or on rectangular boards, which sgfmill
  does not have, the small board of check_export.py;
- a move rejected by superko would recreate the position that is named;
- with --jigo, the signs on the final stones are the statuses of `jigo status`;
- light, dark and narrow layouts fit the window, and in charts no text leaves its picture or lies on another;
- every chart can be saved;
- the final position is visible without scripts;
- with --accessibility, axe-core finds nothing that readers with a keyboard or a screen reader cannot use, in light and in dark (a minute or more
  for a page with many games).
"""

import argparse
import base64
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from sgfmill import boards, sgf_grammar, sgf_properties

import browser
import check_export

LAYOUTS = {
    "light": (1280, 900, "light"),
    "dark": (1280, 900, "dark"),
    "narrow": (360, 1000, "light"),
    "narrow-dark": (360, 1000, "dark"),
}
SIGNS = {"seki": "=", "unsettled": "!", "ko": "*", "dead": "-", "unknown": "?"}

# Returns the stones by the names of their points, from the picture and its coordinates alone.
READ = """(viewer) => {
  const number = (element, name) => Number(element.getAttribute(name));
  const names = [...viewer.querySelectorAll("svg .coordinate")];
  const nearest = (texts, axis, value) => texts.reduce((best, text) =>
    Math.abs(number(text, axis) - value) < Math.abs(number(best, axis) - value) ? text : best).textContent;
  const letters = names.filter((text) => /[A-Z]/.test(text.textContent)), rows = names.filter((text) => /[0-9]/.test(text.textContent));
  const name = (x, y) => nearest(letters, "x", x) + nearest(rows, "y", y + 4);
  const place = (circle) => name(number(circle, "cx"), number(circle, "cy"));
  const found = { stones: {}, signs: {}, rejected: [], last: null };
  for (const stone of viewer.querySelectorAll("svg .stone")) found.stones[place(stone)] = stone.classList.contains("black") ? "b" : "w";
  for (const sign of viewer.querySelectorAll("svg .sign")) found.signs[name(number(sign, "x"), number(sign, "y") - 4)] = sign.textContent;
  for (const line of viewer.querySelectorAll("svg .rejected"))
    found.rejected.push(name((number(line, "x1") + number(line, "x2")) / 2, (number(line, "y1") + number(line, "y2")) / 2));
  for (const ring of viewer.querySelectorAll("svg .last")) found.last = place(ring);
  found.ply = Number(viewer.dataset.ply ?? NaN);
  found.caption = viewer.querySelector(".caption").textContent;
  return found;
}"""

# Returns the texts of charts that are cut off or lie on each other. Texts of the same place, such as two lines in one square, may come close.
CROWDED = """(() => {
  const found = [];
  for (const chart of document.querySelectorAll(".chart")) {
    const frame = chart.getBoundingClientRect();
    const boxes = [...chart.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
    boxes.forEach(([text, box], index) => {
      if (box.left < frame.left - 2 || box.right > frame.right + 2) found.push(`${chart.textContent.slice(0, 30)}: ${text} is cut off`);
      for (const [other, { left, right, top, bottom }] of boxes.slice(index + 1)) {
        const width = Math.min(box.right, right) - Math.max(box.left, left), height = Math.min(box.bottom, bottom) - Math.max(box.top, top);
        if (width > 1 && height > box.height / 3) found.push(`${chart.textContent.slice(0, 30)}: ${text} lies on ${other}`);
      }
    });
  }
  return found;
})()"""
# Presses the buttons of the first chart and returns the beginnings of the files that a reader would get.
SAVED = """(async () => {
  const files = [], click = HTMLAnchorElement.prototype.click;
  HTMLAnchorElement.prototype.click = function () { files.push(`${this.download.split(".").pop()}:${this.href.slice(0, 14)}`); };
  document.querySelectorAll(".save")[0]?.querySelectorAll("button").forEach((button) => button.click());
  for (let wait = 0; wait < 100 && files.length % 2 > 0; wait++) await new Promise((resolve) => setTimeout(resolve, 50));
  HTMLAnchorElement.prototype.click = click;
  return files;
})()"""
UNSAVED = "[...document.querySelectorAll('figure:not(.viewer) .chart')].filter((chart) => chart.closest('figure').querySelectorAll('.save button').length !== 2).length"


def expect(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: found {found}, expected {expected}")


def point_name(row, column):
    return "ABCDEFGHJKLMNOPQRSTUVWXYZ"[column] + str(row + 1)


def stones_of(board):
    return {point_name(row, column): color for color, (row, column) in board.list_occupied_points()}


class RectangularBoard:
    """The part of sgfmill's board that is needed, for rectangular boards."""

    def __init__(self, width, height, stones=()):
        self.game = check_export.Game(width, height, "")
        self.game.stones = dict(stones)

    def copy(self):
        return RectangularBoard(self.game.width, self.game.height, self.game.stones)

    def play(self, row, column, color):
        self.game.to_play = "bw".index(color)
        self.game.stones = self.game.after((column, row))

    def apply_setup(self, black, white, empty):
        for color, points in enumerate((black, white)):
            self.game.stones.update({(column, row): color for row, column in points})

    def list_occupied_points(self):
        return [("bw"[color], (row, column)) for (column, row), color in self.game.stones.items()]


class Game:
    """Reads a game from its SGF: for each ply the board after it, and where it was played."""

    def __init__(self, text):
        nodes = list(sgf_grammar.main_sequence_iter(sgf_grammar.parse_sgf_game(text.encode())))
        sides = [int(side) for side in nodes[0]["SZ"][0].split(b":")]
        width, height = sides[0], sides[-1]
        self.boards = [boards.Board(width) if width == height else RectangularBoard(width, height)]
        self.moves = [None]

        def place(text):
            # Rows count from the bottom, so those of a wide board begin higher in the square around it.
            point = sgf_properties.interpret_go_point(text, max(sides))
            return point and (point[0] - max(sides) + height, point[1])

        self.boards[0].apply_setup([place(text) for text in nodes[0].get("AB", [])], [], [])
        for node in nodes[1:]:
            color = "B" if "B" in node else "W"
            move = place(node[color][0])
            board = self.boards[-1].copy()
            if move is not None:
                board.play(*move, color.lower())
            self.boards.append(board)
            self.moves.append(point_name(*move) if move else None)

    def check(self, what, shown, ply):
        expect(f"{what}: ply", shown["ply"], ply)
        expect(f"{what}, ply {ply}: stones", shown["stones"], stones_of(self.boards[ply]))
        expect(f"{what}, ply {ply}: last move", shown["last"], self.moves[ply])
        for name in set(shown["rejected"]):
            self.check_refusal(f"{what}, ply {ply}, {name}", shown, ply, name)

    def check_refusal(self, what, shown, ply, name):
        board = self.boards[ply].copy()
        board.play(int(name[1:]) - 1, "ABCDEFGHJKLMNOPQRSTUVWXYZ".index(name[0]), "bw"[ply % 2])
        earlier = [number for number, other in enumerate(self.boards[: ply + 1]) if stones_of(other) == stones_of(board)]
        named = re.search(r"Superko rejects .*? would bring back the (?:position after ply (\d+)|empty board)", shown["caption"])
        if not named:
            sys.exit(f"{what}: the caption does not name the position: {shown['caption']}")
        if int(named[1] or 0) not in earlier:
            sys.exit(f"{what}: brings back the positions after plies {earlier}, not the one named: {shown['caption']}")


class Viewer:
    """One game viewer of the open page."""

    def __init__(self, page, index):
        self.page, self.element = page, f"document.querySelectorAll('.viewer')[{index}]"
        page.evaluate(f"{self.element}.closest('details')?.setAttribute('open', '')")

    def read(self):
        return self.page.evaluate(f"({READ})({self.element})")

    def sgf(self):
        return self.page.evaluate(f"{self.element}.querySelector('textarea').value")

    def choose(self, game):
        self.set("select", "selectedIndex", game, "change")

    def game_names(self):
        return self.page.evaluate(f"[...{self.element}.querySelectorAll('option')].map((option) => option.textContent)")

    def focus(self):
        self.page.evaluate(f"{self.element}.querySelector('.stage').focus()")

    def press(self, goal):
        self.page.click(f"{self.element}.querySelector('button[data-go={goal}]')")

    def slide(self, ply):
        self.set("input", "value", ply, "input")

    def set(self, control, field, value, event):
        part = f"{self.element}.querySelector('{control}')"
        self.page.evaluate(f"{part}.{field} = {value}; {part}.dispatchEvent(new Event('{event}'))")


def check_game(viewer, name, jigo):
    shown = viewer.read()
    game = Game(viewer.sgf())
    last = len(game.boards) - 1
    game.check(name, shown, shown["ply"])
    if "cycle" in name:
        check_cycle(name, shown)
    viewer.focus()
    viewer.page.key("Home")
    game.check(name, viewer.read(), 0)
    events = [0]
    while viewer.read()["ply"] < last:
        viewer.page.key("e")
        game.check(name, viewer.read(), viewer.read()["ply"])
        events.append(viewer.read()["ply"])
    if events != sorted(set(events)):
        sys.exit(f"{name}: the next event is no later one: {events}")
    final = viewer.read()
    check_signs(name, final, viewer.sgf(), jigo)
    for ply in range(last, -1, -1):
        game.check(name, viewer.read(), ply)
        viewer.page.key("ArrowLeft")
    viewer.slide(last // 2)
    game.check(name, viewer.read(), last // 2)
    to_the_end = [("last", last), ("forward", last), ("event", last), ("back", last - 1), ("forward", last)]
    for goal, ply in [*to_the_end, ("first", 0), ("back", 0), ("forward", 1)]:
        viewer.press(goal)
        game.check(f"{name}, button {goal}", viewer.read(), ply)
    viewer.page.key("End")
    game.check(name, viewer.read(), last)
    return last, len(final["signs"])


def check_cycle(name, shown):
    """Checks that a game listed for a cycle opens at that cycle."""
    plies = re.search(r"cycle of (\d+)", name)[1]
    if not re.search(rf"In this cycle of {plies} pl", shown["caption"]):
        sys.exit(f"{name}: the position shown first says nothing of it: {shown['caption']}")


def check_signs(name, final, text, jigo):
    if not jigo or "two passes" not in final["caption"]:
        return
    with tempfile.NamedTemporaryFile("w", suffix=".sgf") as file:
        file.write(text)
        file.flush()
        found = json.loads(subprocess.run([jigo, "status", "--json", file.name], check=True, capture_output=True).stdout)
    signed = [chain for chain in found["chains"] if chain["status"] in SIGNS]
    expect(f"{name}: signs", final["signs"], {stone: SIGNS[chain["status"]] for chain in signed for stone in chain["stones"]})


def check_layouts(page, viewers, screenshots, prefix):
    for layout, (width, height, scheme) in LAYOUTS.items():
        page.set_layout(width, height, scheme)
        overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if overflow > 0:
            sys.exit(f"{layout}: the page is {overflow} pixels wider than the window")
        expect(f"{layout}: crowded texts", page.evaluate(CROWDED), [])
        if not screenshots:
            continue
        for number, viewer in enumerate(viewers):
            page.evaluate(f"{viewer.element}.scrollIntoView()")
            image = page.call("Page.captureScreenshot")["data"]
            (screenshots / f"{prefix}-{number}-{layout}.png").write_bytes(base64.b64decode(image))
    page.set_layout(*LAYOUTS["light"])


def check_print(page, viewer):
    """Checks that the final position is printed, and that the page afterwards shows what it showed before."""
    viewer.press("first")
    viewer.press("forward")
    page.evaluate(f"addEventListener('beforeprint', () => {{ window.printed = {viewer.element}.dataset.ply; }})")
    page.call("Page.printToPDF")
    final = len(Game(viewer.sgf()).boards) - 1
    expect("ply on paper", page.evaluate("Number(window.printed)"), final)
    expect("ply after printing", viewer.read()["ply"], 1)


def check_without_scripts(page, path):
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    page.open(path)
    viewer = Viewer(page, 0)
    shown, game = viewer.read(), Game(viewer.sgf())
    expect("without scripts: stones", shown["stones"], stones_of(game.boards[-1]))
    controls = f"[...{viewer.element}.querySelectorAll('button, select, input')]"
    visible = page.evaluate(f"{controls}.filter((control) => control.checkVisibility()).length")
    expect("without scripts: controls that do nothing", visible, 0)
    page.call("Emulation.setScriptExecutionDisabled", value=False)


def check_accessibility(page, path):
    axe = pathlib.Path(importlib.util.find_spec("axe_core_python").origin).with_name("axe.min.js").read_text()
    for name in ["light", "dark"]:
        page.set_layout(*LAYOUTS[name])
        page.open(path)
        page.evaluate(f"{axe}; null")
        # What is in a picture is not announced part by part.
        found = page.evaluate("axe.run({ exclude: [['svg *']] }).then((found) => found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`))")
        expect(f"{path}, {name}: what axe-core finds", found, [])


def check_complaints(page, path, url):
    for complaint in page.complaints(url):
        sys.exit(f"{path}: {complaint}")


def check_page(page, path, options):
    page.events.clear()
    page.set_layout(*LAYOUTS["light"])
    url = page.open(path)
    check_complaints(page, path, url)
    count = page.evaluate("document.querySelectorAll('.viewer').length")
    viewers = [Viewer(page, index) for index in range(count)]
    prefix = f"{path.parent.name}-{path.stem}"
    page.evaluate("document.querySelectorAll('details.cell').forEach((part) => { part.open = true; })")
    expect("charts that cannot be saved", page.evaluate(UNSAVED), 0)
    files = ["svg:data:image/svg", "png:data:image/png"] if page.evaluate("document.querySelector('.save') !== null") else []
    expect("files of the first chart", page.evaluate(SAVED), files)
    check_layouts(page, viewers, options.screenshots, prefix)
    games = plies = signs = 0
    for viewer in viewers:
        for index, name in enumerate(viewer.game_names()):
            viewer.choose(index)
            last, signed = check_game(viewer, name, options.jigo)
            games, plies, signs = games + 1, plies + last, signs + signed
    if viewers:
        check_print(page, viewers[0])
        if options.screenshots:
            viewers[-1].press("last")
            check_layouts(page, viewers[-1:], options.screenshots, f"{prefix}-end")
        check_without_scripts(page, path)
    check_complaints(page, path, url)
    if options.accessibility:
        check_accessibility(page, path)
    print(f"{path}: {count} viewers, {games} games, {plies} plies, {signs} stones with signs; no complaint, no request")
    return games


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", nargs="+", type=pathlib.Path, metavar="REPORT")
    parser.add_argument("--jigo")
    parser.add_argument("--screenshots", type=pathlib.Path)
    parser.add_argument("--accessibility", action="store_true")
    options = parser.parse_args()
    program = browser.find()
    if not program:
        sys.exit("no Chromium was found: install Debian's package chromium")
    if options.screenshots:
        options.screenshots.mkdir(parents=True, exist_ok=True)
    games = 0
    with browser.Browser(program) as page:
        for report in options.reports:
            pages = [report / name for name in ("report.html", "differences.html")] if report.is_dir() else [report]
            pages = [path for path in pages if path.exists()]
            if not pages:
                sys.exit(f"{report}: no page is there")
            for path in pages:
                games += check_page(page, path, options)
    if games == 0:
        sys.exit("no report has an example game: nothing was checked")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""A small engine that speaks GTP by Tromp-Taylor rules, with the faults that its arguments name. The tests of `jigo check` find each of them."""

import sys

FAULTS = set(sys.argv[1:])
LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


class Refused(Exception):
    """A command that fails, with the message of the reply."""


class Game:
    def __init__(self):
        self.side, self.komi, self.is_over = 19, 0.0, False
        self.clear()

    def clear(self):
        self.stones = {}
        self.moves = []  # colour, point or None for a pass, and what was there before
        if "history survives clear_board" not in FAULTS or not hasattr(self, "seen"):
            self.seen = [frozenset()]
        self.ko = None

    def neighbours(self, point):
        x, y = point
        beside = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        return [(x, y) for x, y in beside if 0 <= x < self.side and 0 <= y < self.side]

    def chain(self, stones, start):
        """Returns the stones of a chain and its liberties."""
        chain, liberties, open_points = {start}, set(), [start]
        while open_points:
            for point in self.neighbours(open_points.pop()):
                if point not in stones:
                    liberties.add(point)
                elif stones[point] == stones[start] and point not in chain:
                    chain.add(point)
                    open_points.append(point)
        return chain, liberties

    def is_corner(self, chain):
        return len(chain) == 1 and all(x in (0, self.side - 1) and y in (0, self.side - 1) for x, y in chain)

    def play(self, color, point):
        before = (dict(self.stones), self.ko, list(self.seen))
        if point is not None:
            if point in self.stones:
                if "occupied points are replaced" not in FAULTS:
                    raise Refused("illegal move")
            after = {**self.stones, point: color}
            captured = set()
            for beside in self.neighbours(point):
                if beside in after and after[beside] != color:
                    chain, liberties = self.chain(after, beside)
                    if not liberties:
                        captured |= chain
            kept = "corner stones are not captured" in FAULTS and self.is_corner(captured)
            for stone in set() if kept else captured:
                del after[stone]
            chain, liberties = self.chain(after, point)
            if not liberties and not kept:
                if len(chain) == 1 and "single suicide" not in FAULTS or "no suicide" in FAULTS:
                    raise Refused("illegal move")
                if "suicide of two" in FAULTS and len(chain) == 2:
                    raise Refused("illegal move")
                for stone in chain:
                    del after[stone]
            if point == self.ko and len(captured) == 1 and "simple ko is forgotten" not in FAULTS:
                raise Refused("illegal move")
            if frozenset(after.items()) in self.seen and not FAULTS & {"simple ko", "simple ko is forgotten"}:
                raise Refused("illegal move")
            if len(captured) > 2 and "large captures are refused" in FAULTS:
                raise Refused("illegal move")
            single = len(captured) == 1 and len(chain) == 1 and len(liberties) == 1
            self.ko = captured.pop() if single else None
            self.stones = after
        elif "passes twice" in FAULTS and self.moves and self.moves[-1][1] is None:
            raise Refused("game over")
        else:
            self.ko = None
        self.seen.append(frozenset(self.stones.items()))
        self.moves.append((color, point, before))

    def undo(self):
        if not self.moves:
            raise Refused("cannot undo")
        _, point, (stones, ko, seen) = self.moves.pop()
        if "undo keeps captures away" in FAULTS:
            self.stones.pop(point, None)
        else:
            self.stones = stones
        self.seen = seen
        if "undo forgets ko" not in FAULTS:
            self.ko = ko
        else:
            self.ko, self.seen = None, []

    def owner(self, point):
        """Returns who alone reaches an empty point."""
        region, open_points, colors = {point}, [point], set()
        while open_points:
            for beside in self.neighbours(open_points.pop()):
                if beside in self.stones:
                    colors.add(self.stones[beside])
                elif beside not in region:
                    region.add(beside)
                    open_points.append(beside)
        return colors.pop() if len(colors) == 1 else None

    def score(self):
        points = [(x, y) for x in range(self.side) for y in range(self.side)]
        owners = [self.stones.get(point) or self.owner(point) for point in points]
        margin = owners.count("b") - owners.count("w") - self.komi
        if "komi is added" in FAULTS:
            margin += 2 * self.komi
        return "0" if margin == 0 else f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"


GAME = Game()


def color(word):
    word = word if "capital colours" in FAULTS else word.lower()
    if word not in ("b", "black", "w", "white"):
        raise Refused("invalid color or coordinate")
    return word[0]


def vertex(word):
    word = word if "capital vertices" in FAULTS else word.upper()
    if word.upper() == "PASS":
        return None
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if "column I" in FAULTS else LETTERS
    if word[:1] not in letters or not word[1:].isdigit() or not word[:1]:
        raise Refused("invalid color or coordinate")
    x, y = letters.index(word[0]), int(word[1:]) - 1
    if not (x < GAME.side and 0 <= y < GAME.side):
        raise Refused("invalid color or coordinate")
    return x, y


def name(point):
    return f"{LETTERS[point[0]]}{point[1] + 1}"


def boardsize(size):
    if not size.isdigit() or not 2 <= int(size) <= 19:
        raise Refused("unacceptable size")
    GAME.side = int(size)
    GAME.clear()


def clear_board():
    if "clear_board does nothing" not in FAULTS:
        GAME.clear()
    else:
        GAME.moves = []


def komi(value):
    try:
        GAME.komi = float(value)
    except ValueError:
        raise Refused("komi not a float") from None


def list_stones(player):
    stones = [point for point, owner in GAME.stones.items() if owner == color(player)]
    if "list_stones leaves one out" in FAULTS and len(stones) > 5:
        stones.pop()
    return " ".join(map(name, stones))


def genmove(player):
    player = color(player)
    for y in range(GAME.side):
        for x in range(GAME.side):
            if "genmove plays anywhere" in FAULTS:
                return name((0, 0))
            try:
                GAME.play(player, (x, y))
                return name((x, y))
            except Refused:
                pass
    return "pass"


COMMANDS = {
    "protocol_version": lambda: "2",
    "name": lambda: "faulty engine",
    "version": lambda: "1",
    "known_command": lambda name: str(name in COMMANDS or "knows everything" in FAULTS).lower(),
    "list_commands": lambda: "\n".join(COMMANDS),
    "quit": lambda: setattr(GAME, "is_over", True),
    "boardsize": boardsize,
    "clear_board": clear_board,
    "komi": komi,
    "play": lambda player, point: GAME.play(color(player), vertex(point)),
    "genmove": genmove,
    "undo": lambda: GAME.undo(),
    "list_stones": list_stones,
    "final_score": lambda: GAME.score(),
}
for absent in ("undo", "list_stones", "final_score"):
    if f"no {absent}" in FAULTS:
        del COMMANDS[absent]


def clean(line):
    """Returns a line as the specification reads it."""
    if "comments" not in FAULTS:
        line = line.split("#")[0]
    if "tabs" not in FAULTS:
        line = line.replace("\t", " ")
    if "carriage returns" not in FAULTS:
        line = "".join(char for char in line if ord(char) >= 32 and ord(char) != 127 or char == "\t")
    return line


def answer(line):
    words = [word for word in clean(line).split(" ") if word.strip("\n")]
    if not words:
        return "= \n\n" if "empty lines" in FAULTS else ""
    number = words.pop(0) if words[0].isdigit() else ""
    if "numbers" in FAULTS:
        number = ""
    if "dies of long lines" in FAULTS and len(line) > 5000:
        sys.exit(3)
    try:
        if not words or words[0] not in COMMANDS:
            if "accepts unknown commands" in FAULTS:
                return f"={number} \n\n"
            raise Refused("unknown command")
        result = COMMANDS[words[0]](*words[1:])
    except Refused as refused:
        sign = "=" if "errors are successes" in FAULTS else "?"
        return f"{sign}{number} {refused}\n" + ("" if "no empty line after errors" in FAULTS else "\n")
    except TypeError:
        return f"?{number} wrong arguments\n\n"
    if "no sign" in FAULTS and words[0] == "komi":
        return "ok\n\n"
    if "chatter" in FAULTS and words[0] == "komi":
        return f"={number} \n\nkomi is set\n"
    return f"={number} {result or ''}\n\n"


def main():
    sys.stdin.reconfigure(errors="strict" if "dies of bad text" in FAULTS else "replace", newline="\n")
    for line in sys.stdin:
        sys.stdout.write(answer(line.rstrip("\n")))
        sys.stdout.flush()
        if GAME.is_over and "does not quit" not in FAULTS:
            break


main()

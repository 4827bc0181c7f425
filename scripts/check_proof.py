#!/usr/bin/env python3
"""Checks a file of `jigo solve --proof` by the rules of Go alone, on whole boards of at most 9 points.

usage: python3 scripts/check_proof.py [--self-test] FILE   (FILE may be compressed with gzip)

The script shares nothing with jigo. It knows captures, suicide (of a single stone never), simple ko, area scoring, and that two passes in a row end a
game. For each claim it finds, by looking at every position that can come up, all states from which the prover ("she") wins if endless play loses for
her. Then it follows her replies in the file against every legal ply of her opponent ("he"). Each reply must be legal and lead to states that are won,
and ranks must fall. A reply may be missing only in these cases, which it also decides by looking at every position:

- decided: points that she keeps even if she passes every turn give her the margin.
- idle: he plays on a point that he or she keeps in this way.
- last pass: he passes, and she has the margin on the board, so that her pass ends the game.
- cleaning: the reply is a pass, with the margin on points kept in this way, but she must first take dead stones off the board.

There the script's own search proves that she wins. With --self-test it also damages the file in 200 ways, and requires that every damage is refused
which changes what is proved. Exits with status 1 and one line if anything is wrong. Needs only Python 3.10.
"""

import argparse
import collections
import functools
import gzip
import hashlib
import io
import random
import re
import sys
import zlib

MAX_POINTS, MAX_BYTES = 9, 1 << 26
COLUMNS = "ABCDEFGHJ"
COLORS = {"Black": "X", "White": "O"}
REASONS = ("decided", "idle", "last pass", "cleaning")
OTHER = {"X": "O", "O": "X"}
TITLE = "jigo proof 1"
FIELDS = {
    "board": r"[0-9]{1,3}x[0-9]{1,3}", "suicide": "suicide|no-suicide", "position": "[XO.]+", "open": "[?.]+", "to-play": "Black|White",
    "ko": "-|[A-Z][0-9]+", "claim": r"(?:Black|White) -?[0-9]{1,3}", "states": "[0-9]{1,8}",
}  # fmt: skip

# Her turn (or his) on a board. `ko` is the point that simple ko forbids, and `passed` says whether the last ply was a pass.
State = collections.namedtuple("State", "board player ko passed")
Reply = collections.namedtuple("Reply", "move rank line")


class Refused(Exception):
    """What is wrong, and on which line."""


def require(condition, line, message):
    if not condition:
        raise Refused(f"line {line}: {message}")


class Rules:
    """The rules on a board of this size. A board is a string of X, O and . for its points, row by row from the top."""

    def __init__(self, width, height, suicide):
        self.suicide, self.count = suicide, width * height
        places = [(x, y) for y in range(height) for x in range(width)]
        number = {place: index for index, place in enumerate(places)}
        self.names = [f"{COLUMNS[x]}{height - y}" for x, y in places]
        beside = lambda x, y: [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        self.near = [[number[place] for place in beside(*of) if place in number] for of in places]
        turns = [lambda x, y: (x, y), lambda x, y: (width - 1 - x, y), lambda x, y: (x, height - 1 - y), lambda x, y: (width - 1 - x, height - 1 - y)]
        if width == height:
            turns += [lambda x, y, turn=turn: turn(y, x) for turn in turns]
        # For each symmetry, where each point goes.
        self.symmetries = sorted({tuple(number[turn(x, y)] for x, y in places) for turn in turns})
        self.plies = functools.cache(self.plies)
        self.margin = functools.cache(self.margin)
        self.steady = functools.cache(self.steady)
        self.kept = functools.cache(self.kept)

    def part(self, board, point):
        """Returns the connected points that look like this one, and all points beside them."""
        part, beside, waiting = {point}, set(), [point]
        while waiting:
            for other in self.near[waiting.pop()]:
                if board[other] != board[point]:
                    beside.add(other)
                elif other not in part:
                    part.add(other)
                    waiting.append(other)
        return part, beside

    def play(self, board, player, point, suicide):
        """Returns the board after a stone on an empty point, and where simple ko then forbids one; None if the stone is suicide that is not allowed."""
        after = board[:point] + player + board[point + 1 :]
        taken = set()
        for other in self.near[point]:
            if after[other] == OTHER[player]:
                chain, beside = self.part(after, other)
                if all(after[place] != "." for place in beside):
                    taken |= chain
        own, beside = self.part(after, point)
        if not taken and all(after[place] != "." for place in beside):
            taken = own
            if not suicide or len(own) == 1:
                return None
        after = "".join("." if place in taken else stone for place, stone in enumerate(after))
        is_ko = len(taken) == 1 == len(own) and all(after[place] == OTHER[player] for place in beside - taken)
        return after, taken.pop() if is_ko else None

    def plies(self, board, player):
        """Returns the player's stones that the rules permit, apart from ko: point, board after it, and ko."""
        played = ((point, self.play(board, player, point, self.suicide)) for point in range(self.count) if board[point] == ".")
        return [(point, *after) for point, after in played if after]

    def is_legal_board(self, board):
        return all(stone == "." or any(board[place] == "." for place in self.part(board, point)[1]) for point, stone in enumerate(board))

    def is_ko(self, board, player, point):
        """Returns whether simple ko may forbid the player this point: whether a stone there would take back a single stone."""
        played = board[point] == "." and self.play(board, player, point, False)
        return bool(played and played[1] is not None)

    def margin(self, board):
        """Returns Black's area minus White's."""
        margin = 0
        for point, stone in enumerate(board):
            sides = {stone} if stone != "." else {board[place] for place in self.part(board, point)[1]}
            margin += (sides == {"X"}) - (sides == {"O"})
        return margin

    def steady(self, board, owner, suicide):
        """Returns the owner's stones that stay whatever the opponent plays while she passes every turn, and all boards that can come up."""
        stones = {point for point, stone in enumerate(board) if stone == owner}
        seen, waiting = {board}, [board]
        while waiting and stones:
            board = waiting.pop()
            stones = {point for point in stones if board[point] == owner}
            for point in [point for point, stone in enumerate(board) if stone == "."]:
                played = self.play(board, OTHER[owner], point, suicide)
                if played and played[0] not in seen:
                    seen.add(played[0])
                    waiting.append(played[0])
        return frozenset(stones), seen

    def kept(self, board, owner, prover):
        """Returns the points that the owner keeps: stones that are steady, and regions between them where the opponent never gets such stones."""
        # The prover never commits suicide.
        may_suicide = lambda player: self.suicide and player != prover
        alive, boards = self.steady(board, owner, may_suicide(OTHER[owner]))
        if not alive:
            return alive
        invaded = set().union(*(self.steady(after, OTHER[owner], may_suicide(owner))[0] for after in boards))
        mask = "".join("X" if point in alive else "." for point in range(self.count))
        regions = {frozenset(self.part(mask, point)[0]) for point in range(self.count) if point not in alive}
        return alive.union(*(region for region in regions if not region & invaded))


rules_for = functools.lru_cache(maxsize=8)(Rules)


def followers(rules, state):
    """Returns each ply from a state, as a point or "pass", with the state after it. The second of two passes, which ends the game, is left out."""
    after = [(point, State(board, OTHER[state.player], ko, False)) for point, board, ko in rules.plies(state.board, state.player) if point != state.ko]
    return after + ([] if state.passed else [("pass", State(state.board, OTHER[state.player], None, True))])


@functools.lru_cache(maxsize=8)
def reachable(rules, start):
    """Returns all states that can come up, with the states after each of them and those before."""
    after, before, waiting = {}, collections.defaultdict(list), [start]
    while waiting:
        state = waiting.pop()
        if state not in after:
            after[state] = [other for _, other in followers(rules, state)]
            waiting.extend(after[state])
            for other in after[state]:
                before[other].append(state)
    return after, before


@functools.lru_cache(maxsize=8)
def won_states(rules, start, prover, margin):
    """Returns the states from which the prover can end the game with this margin, whatever her opponent does. Works back from the ends."""
    after, before = reachable(rules, start)
    left, won, waiting = {}, set(), []
    for state, others in after.items():
        has_margin = score(rules, state.board, prover) >= margin
        # She needs one ply that wins. He must have none that does not: a pass that ends the game too early counts as one that never will.
        left[state] = 1 if state.player == prover else len(others) + (state.passed and not has_margin)
        if state.passed and has_margin and (state.player == prover or not others):
            waiting.append(state)
    while waiting:
        state = waiting.pop()
        if state not in won:
            won.add(state)
            for other in before[state]:
                left[other] -= 1
                if left[other] == 0:
                    waiting.append(other)
    return won


def score(rules, board, player):
    """Returns the player's area minus the opponent's."""
    return rules.margin(board) if player == "X" else -rules.margin(board)


def read_section(lines, first):
    """Reads a claim and its replies from line number `first` on. Returns them and the number of the next line."""
    require(lines[first - 1] == TITLE, first, "a proof must begin with `jigo proof 1`.")
    fields, at = {}, first
    for name, pattern in FIELDS.items():
        at += 1
        text = lines[at - 1] if at <= len(lines) else ""
        matched = re.fullmatch(f"{name} ({pattern})", text)
        require(matched, at, f"there must be a line `{name} ...` of the right form.")
        fields[name] = matched[1]
    width, height = map(int, fields["board"].split("x"))
    require(width * height > 0, first + 1, "a board has at least one point.")
    require(width * height <= MAX_POINTS, first + 1, f"the board has {width * height} points, but this script checks at most {MAX_POINTS}.")
    rules = rules_for(width, height, fields["suicide"] == "suicide")
    require(len(fields["position"]) == rules.count, first + 3, f"a position has {rules.count} points.")
    require(rules.is_legal_board(fields["position"]), first + 3, "a chain in the position has no liberty.")
    require(len(fields["open"]) == rules.count, first + 4, f"there must be {rules.count} characters for the points.")
    require("." not in fields["open"], first + 4, "a part of the board is not open, but this script checks whole boards only.")
    player = COLORS[fields["to-play"]]
    start = State(fields["position"], player, read_ko(rules, fields["position"], player, fields["ko"], first + 6), False)
    prover, margin = fields["claim"].split()
    replies = {}
    for line in range(at + 1, at + 1 + int(fields["states"])):
        require(line <= len(lines), line, "the file ends before the last of its states.")
        read_reply(rules, COLORS[prover], lines[line - 1], line, replies)
    return rules, start, COLORS[prover], int(margin), replies, at + 1 + int(fields["states"])


def read_ko(rules, board, player, name, line):
    """Returns the point that simple ko forbids the player, or None."""
    require(name == "-" or name in rules.names, line, f"{name} is not a point of the board.")
    ko = None if name == "-" else rules.names.index(name)
    require(ko is None or rules.is_ko(board, player, ko), line, f"simple ko cannot forbid a stone on {name}.")
    return ko


def read_reply(rules, prover, text, line, replies):
    """Enters the reply of a line for a state and all its mirror images."""
    matched = re.fullmatch(r"([XO.]+) (-|[A-Z][0-9]+) (pass|[A-Z][0-9]+) ([0-9]{1,3})", text)
    require(matched, line, "there must be a state: stones, ko, move and rank, separated by spaces.")
    board, ko, move, rank = matched.groups()
    require(len(board) == rules.count, line, f"a state has {rules.count} points.")
    require(rules.is_legal_board(board), line, "a chain in the state has no liberty.")
    ko = read_ko(rules, board, prover, ko, line)
    require(move == "pass" or move in rules.names, line, f"{move} is not a point of the board.")
    move = "pass" if move == "pass" else rules.names.index(move)
    legal = ["pass"] + [point for point, *_ in rules.plies(board, prover) if point != ko]
    require(move in legal, line, "the reply is not a legal move.")
    # A state that is its own mirror image has several replies: the first is the one as written.
    for symmetry in sorted(rules.symmetries, key=lambda symmetry: symmetry != tuple(range(rules.count))):
        image = [""] * rules.count
        for point, stone in enumerate(board):
            image[symmetry[point]] = stone
        key = "".join(image), None if ko is None else symmetry[ko]
        known = replies.setdefault(key, Reply(move if move == "pass" else symmetry[move], int(rank), line))
        require(known.line == line, line, f"the state, or a mirror image of it, is also on line {known.line}.")


class Walk:
    """Follows the file's replies to all that the opponent can play."""

    def __init__(self, rules, start, prover, margin, replies, first):
        self.rules, self.start, self.prover, self.margin, self.replies = rules, start, prover, margin, replies
        self.won = won_states(rules, start, prover, margin)
        name = next(name for name in COLORS if COLORS[name] == prover)
        require(start in self.won, first + 7, f"by the rules, {name} does not secure a margin of {margin} from this position.")
        # States that the file answers: the boards with their players just after each, and the next such states.
        self.answered, self.waiting = {}, []
        # States that the script's own search answers, by reason, and the lines without which the file proves less.
        self.searched, self.needed = {reason: set() for reason in REASONS}, set()
        if start.player != prover:
            self.answered[start] = start, self.answer(start, 1 << 10, first + 3)
        elif (start.board, start.ko) not in replies and self.is_decided(start.board):
            self.searched["decided"].add(start)
        else:
            self.need(start, None, 1 << 10, first + 3)
        while self.waiting:
            self.follow(self.waiting.pop())

    def kept(self, board):
        return [self.rules.kept(board, owner, self.prover) for owner in (self.prover, OTHER[self.prover])]

    def is_decided(self, board):
        return 2 * len(self.kept(board)[0]) - self.rules.count >= self.margin

    def has_margin(self, board):
        return score(self.rules, board, self.prover) >= self.margin

    def has_margin_after_cleaning(self, board):
        """Returns whether she has the margin if points that a player keeps are that player's."""
        own, others = self.kept(board)
        owner = lambda point, stone: self.prover if point in own else OTHER[self.prover] if point in others else stone
        return self.has_margin("".join(owner(point, stone) for point, stone in enumerate(board)))

    def follow(self, state):
        """Plays her reply."""
        move, rank, line = self.replies[state.board, state.ko]
        if move == "pass" and state.passed and self.has_margin(state.board):
            self.answered[state] = None, []
            return
        after = State(state.board, OTHER[self.prover], None, True) if move == "pass" else dict(followers(self.rules, state))[move]
        if after not in self.won:
            require(move == "pass", line, "the reply does not win.")
            require(self.has_margin_after_cleaning(state.board), line, "the reply is a pass before she has the margin.")
            require(state in self.won, line, "the script's own search does not win from this state.")
            self.searched["cleaning"].add(state)
        self.answered[state] = after, self.answer(after, rank, line)

    def answer(self, state, rank, line):
        """Looks at each of his plies. Returns the states after them that the file answers."""
        board, idle = state.board, frozenset().union(*self.kept(state.board))
        found = []
        for ply, after in followers(self.rules, state):
            reason = None
            if self.is_decided(board):
                reason = "decided"
            elif ply in idle:
                reason = "idle"
            elif ply == "pass" and self.has_margin(board):
                reason = "last pass"
            if self.need(after, reason, rank, line):
                found.append(after)
        return found

    def need(self, state, reason, rank, line):
        """Requires a reply with a rank below this one, unless there is a reason why none is needed. Returns whether there is one."""
        reply = self.replies.get((state.board, state.ko))
        if reply and reply.rank < rank:
            if state not in self.answered:
                self.answered[state] = None
                self.waiting.append(state)
            if not reason:
                self.needed.add(reply.line)
            return True
        shown = f"{state.board} (ko {'-' if state.ko is None else self.rules.names[state.ko]})"
        require(reason or reply, line, f"the file has no reply to {shown}, which can come next.")
        require(reason, reply and reply.line, f"the rank does not fall from line {line} to this state, which can come next.")
        require(state in self.won, line, f"the script's own search does not win from {shown}, which can come next.")
        self.searched[reason].add(state)
        return False

    def lines(self):
        """Returns the lines that were followed."""
        states = (state for state in self.answered if state.player == self.prover)
        return {self.replies[state.board, state.ko].line for state in states}

    def repetitions(self):
        """Returns how many states there are in which her stone can bring back a board that stood before, and one with the same player to move."""
        stood = collections.defaultdict(set)
        rank = lambda state: self.replies[state.board, state.ko].rank if state.player == self.prover else 1 << 10
        positional = situational = 0
        for state in sorted(self.answered, key=rank, reverse=True):
            (after, found), before = self.answered[state], stood.pop(state, set())
            if after is None:
                continue
            if after.board != state.board:
                positional += any((after.board, player) in before for player in "XO")
                situational += (after.board, after.player) in before
            for other in found:
                stood[other] |= before
                stood[other] |= {(state.board, state.player), (after.board, after.player)}
        return positional, situational


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
        *section, following = read_section(lines, first)
        walk = Walk(*section, first)
        reports.append(report(walk, first, lines))
        needed |= walk.needed
        first = following
    return reports, needed


def report(walk, first, lines):
    """Says what was found about a claim that holds."""
    states, searched = sum(state.player == walk.prover for state in walk.answered), walk.searched
    positional, situational = walk.repetitions()
    if positional == 0:
        superko = "also under positional and situational superko: there no stone of hers brings back an earlier board"
    elif situational == 0:
        superko = f"also under situational superko; in {positional} states a stone of hers can bring back an earlier board with the other player to move"
    else:
        superko = f"not shown under superko: in {situational} states a stone of hers can bring back an earlier board with the same player to move"
    reasons = ", ".join(f"{reason} {len(states)}" for reason, states in searched.items())
    return (
        f"line {first}: {lines[first + 6]} on {lines[first]} ({lines[first + 1]}, {lines[first + 4]}) holds under simple ko.\n"
        f"  {states} states answered by the file, by {len(walk.lines())} of its {len({reply.line for reply in walk.replies.values()})} lines\n"
        f"  {len(set().union(*searched.values()))} states answered by the script's own search: {reasons}\n"
        f"  as far as the file's states go, {superko}"
    )


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
    counted = head + 8
    stones, ko, move, rank = lines[at].split(" ")
    height = int(lines[head + 1].split("x")[1])
    points = [f"{COLUMNS[x]}{y + 1}" for y in range(height) for x in range(len(stones) // height)]
    if kind == "stones":
        place = chance.randrange(len(stones))
        stones = stones[:place] + chance.choice("XO.") + stones[place + 1 :]
    elif kind == "ko":
        ko = chance.choice(["-", *points])
    elif kind == "move":
        move = chance.choice(["pass", *points])
    elif kind == "rank":
        rank = chance.randrange(int(rank) + 3)
    elif kind == "margin":
        player, margin = lines[head + 7].removeprefix("claim ").split()
        lines[head + 7] = f"claim {player} {int(margin) + chance.randint(1, 3)}"
    elif kind == "header":
        name = chance.choice(["board 2x3", "board 9x9", "suicide suicide", "suicide no-suicide", "open ???.", "to-play Black", "to-play White", "ko A1"])
        lines[head + 1 + list(FIELDS).index(name.split()[0])] = name
    elif kind == "number":
        lines[counted] = f"states {int(lines[counted][7:]) + chance.choice([-1, 1])}"
    if kind in ("stones", "ko", "move", "rank"):
        lines[at] = f"{stones} {ko} {move} {rank}"
    elif kind == "removed":
        lines[counted] = f"states {int(lines[counted][7:]) - 1}"
        del lines[at]
    elif kind == "doubled":
        lines[counted] = f"states {int(lines[counted][7:]) + 1}"
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
    kinds = ("stones", "ko", "move", "rank", "margin", "header", "number", "removed", "doubled", "truncated")
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
            if not is_new or kind not in ("move", "rank", "margin", "header"):
                first = next(number for number, pair in enumerate(zip(lines, damaged), 1) if pair[0] != pair[1])
                raise Refused(f"line {first}: a damage was not found ({kind}, {'new' if is_new else 'old'} digest).")
            valid[kind] += 1
    kept = "".join(f", {count} with another {kind} proved anew" for kind, count in valid.items())
    return f"100 damaged files with the old digest: 100 refused\n100 with a new digest: {100 - valid.total()} refused{kept}"


def main():
    parser = argparse.ArgumentParser(description="Checks proofs of jigo by the rules of Go alone.")
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

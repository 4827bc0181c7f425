"""Proofs of bounds that hold whatever was played before.

For each claim the script finds, by looking at every position that can come up, all states from which the prover ("she") wins if endless play loses for
her. Then it follows her replies in the file against every legal ply of her opponent ("he"). Each reply must be legal and lead to states that are won,
and ranks must fall. A reply may be missing only in these cases, which it also decides by looking at every position:

- decided: points that she keeps even if she passes every turn give her the margin.
- idle: he plays on a point that he or she keeps in this way.
- last pass: he passes, and she has the margin on the board, so that her pass ends the game.
- cleaning: the reply is a pass, with the margin on points kept in this way, but she must first take dead stones off the board.

There the script's own search proves that she wins.
"""

import collections
import functools
import re

from go import COLORS, OTHER, State, followers, read_ko, require, score

MAX_POINTS = 9
REASONS = ("decided", "idle", "last pass", "cleaning")
Reply = collections.namedtuple("Reply", "move rank line")


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

"""The rules of Go: captures, suicide (of a single stone never), simple ko, area; and what a player keeps without playing."""

import collections
import functools

COLUMNS = "ABCDEFGHJ"
COLORS = {"Black": "X", "White": "O"}
OTHER = {"X": "O", "O": "X"}

# Her turn (or his) on a board. `ko` is the point that simple ko forbids, and `passed` says whether the last ply was a pass.
State = collections.namedtuple("State", "board player ko passed")


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


def score(rules, board, player):
    """Returns the player's area minus the opponent's."""
    return rules.margin(board) if player == "X" else -rules.margin(board)


def read_ko(rules, board, player, name, line):
    """Returns the point that simple ko forbids the player, or None."""
    require(name == "-" or name in rules.names, line, f"{name} is not a point of the board.")
    ko = None if name == "-" else rules.names.index(name)
    require(ko is None or rules.is_ko(board, player, ko), line, f"simple ko cannot forbid a stone on {name}.")
    return ko

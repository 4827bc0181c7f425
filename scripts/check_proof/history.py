"""Proofs of bounds under one ko rule, with the history of the game.

Each line of such a proof is a state: it names what the prover ("she") plays there, or the lines with the states after her opponent's plies. The script
tries every legal ply. It must lead to a state that is named or decided (points that she keeps even if she passes every turn give her the margin), or it
must be certain that it brings back a board: that every way to the state passes through that board. Where she needs a new board, it must be certain that
none of the ways has passed through it. Both are found from the sets of boards that are made and needed from each state on.

That decided states need no moves rests on an argument: her alive stones lie on no earlier board, because play ends as soon as they suffice, so that no
ko rule forbids her to keep what is hers.
"""

import collections
import re

from go import COLORS, OTHER, State, followers, read_ko, require, score

MAX_POINTS = 13
KO_RULES = ("simple-ko", "positional-superko", "situational-superko")
Node = collections.namedtuple("Node", "state move next line")


def read_node(rules, prover, text, line, nodes):
    """Enters the state of a line."""
    matched = re.fullmatch(r"([XO.]+) (Black|White) (-|[A-Z][0-9]+) (-|pass) (-|pass|[A-Z][0-9]+)((?: [0-9]{1,8})*)", text)
    require(matched, line, "there must be a state: stones, player, ko, `pass` or -, move or -, and numbers, separated by spaces.")
    board, player, ko, passed, move, after = matched.groups()
    require(len(board) == rules.count, line, f"a state has {rules.count} points.")
    require(rules.is_legal_board(board), line, "a chain in the state has no liberty.")
    player = COLORS[player]
    require((player == prover) == (move != "-"), line, "there must be a move if and only if the prover is to play.")
    require(move in ("-", "pass") or move in rules.names, line, f"{move} is not a point of the board.")
    move = rules.names.index(move) if move in rules.names else move
    after = [int(number) for number in after.split()]
    require(all(number < len(nodes) for number in after), line, "a state may only lead to lines before it.")
    nodes.append(Node(State(board, player, read_ko(rules, board, player, ko, line), passed == "pass"), move, after, line))


class Graph:
    """Follows all plies from all states of a proof."""

    def __init__(self, rules, start, prover, margin, ko_rule, nodes, first):
        self.rules, self.start, self.prover, self.margin, self.ko_rule = rules, start, prover, margin, ko_rule
        self.first_alive = self.alive(start.board)
        # For each state the boards that must be new are made from there on, and those that must have stood before; as bits of a number.
        self.made, self.needed, self.bits = [], [], {}
        if not nodes:
            require(self.first_alive and self.suffices(start), first + 8, "the margin is not sure from the start, so that there must be states.")
            return
        require(nodes[-1].state == start, nodes[-1].line, "the last state must be the start.")
        for node in nodes:
            self.follow(nodes, node, node is nodes[-1])
        require(not self.needed[-1], nodes[-1].line, "a ply without a reply need not bring back a board.")

    def bit(self, state):
        """Returns the bit of a board, as the ko rule tells boards apart."""
        name = state.board if self.ko_rule == "positional-superko" else (state.board, state.player)
        return 1 << self.bits.setdefault(name, len(self.bits))

    def alive(self, board):
        """Returns her stones that stay whatever he plays while she passes, as her stones alone say."""
        return self.rules.steady("".join(stone if stone == self.prover else "." for stone in board), self.prover, True)[0]

    def suffices(self, state):
        """Returns whether her alive stones, with the regions all of whose points are beside one of them, give her the margin."""
        alive, rules = self.alive(state.board), self.rules
        mask = "".join("X" if point in alive else "." for point in range(rules.count))
        regions = {frozenset(rules.part(mask, point)[0]) for point in range(rules.count) if point not in alive}
        is_hers = lambda region: all(any(near in alive for near in rules.near[point]) for point in region)
        kept = len(alive) + sum(map(len, filter(is_hers, regions)))
        sure = 2 * kept - rules.count
        if state.passed and state.player != self.prover:
            sure = min(sure, score(rules, state.board, self.prover))
        if self.ko_rule == "simple-ko" and kept < rules.count:
            sure = min(sure, 0)
        return sure >= self.margin

    def is_decided(self, state):
        return bool(self.alive(state.board) - self.first_alive) and self.suffices(state)

    def follow(self, nodes, node, is_start):
        state, line = node.state, node.line
        require(not self.is_decided(state), line, "the margin is sure here, so that no state must follow.")
        made = needed = 0
        named = {nodes[number].state: number for number in node.next}
        found = set()
        plies = dict(followers(self.rules, state))
        if state.player == self.prover:
            require(node.move in plies or (node.move == "pass" and state.passed), line, "the move is not legal.")
            plies = {node.move: plies.get(node.move)}
        elif is_start:
            plies = {ply: after for ply, after in plies.items() if ply == self.first_image(ply)}
        if state.passed and (state.player != self.prover or node.move == "pass"):
            require(score(self.rules, state.board, self.prover) >= self.margin, line, "a pass ends the game with too small a margin.")
            plies.pop("pass", None)
        draw_suffices = self.margin <= 0
        for ply, after in plies.items():
            is_hers = state.player == self.prover
            if self.ko_rule == "simple-ko":
                must_be_new, may_repeat = not draw_suffices, draw_suffices
            else:
                must_be_new, may_repeat = is_hers, not is_hers
            if ply != "pass" and must_be_new:
                made |= self.bit(after)
            if after in named:
                found.add(named[after])
                made |= self.made[named[after]]
                needed |= self.needed[named[after]]
            elif not self.is_decided(after):
                require(ply != "pass" and may_repeat, line, f"nothing is said of what follows {ply if ply == 'pass' else self.rules.names[ply]}.")
                needed |= self.bit(after)
        require(len(found) == len(node.next), line, "a state is named that does not follow.")
        own = self.bit(state)
        require(not made & own, line, "a stone can bring back this board, and then the proof does not hold.")
        self.made.append(made)
        self.needed.append(needed & ~own)

    def first_image(self, ply):
        """Returns the first of the images of a ply under the symmetries of the start."""
        board, ko = self.start.board, self.start.ko
        own = [turn for turn in self.rules.symmetries if ko is None and all(board[turn[point]] == board[point] for point in range(self.rules.count))]
        return ply if ply == "pass" or not own else min(turn[ply] for turn in own)


def report(graph, first, lines):
    """Says what was found about a claim that holds."""
    number = next(number for number in range(first, len(lines)) if lines[number].startswith("claim "))
    return (
        f"line {first}: {lines[number]} on {lines[first]} ({lines[first + 1]}, {lines[number - 2]}) holds under {graph.ko_rule}.\n"
        f"  {len(graph.made)} states, {len(graph.bits)} boards that come up or must not"
    )

"""One game and one position."""

import copy
import json

import numpy as np
import pytest

import jigo


def test_a_ko_under_each_rule():
    for rules, word in [("area+simple-ko", "ko"), ("tromp-taylor", "ko"), ("japanese", "ko")]:
        game = jigo.Game("4x3", rules)
        for move in ["B3", "C3", "A2", "D2", "B1", "C1", "C2", "B2"]:
            game.play(move)
        before = repr(game)
        with pytest.raises(jigo.IllegalMove, match=word):
            game.play("C2")
        assert repr(game) == before
        assert not game.is_legal("C2") and "C2" not in game.legal_moves


def test_superko_on_two_points():
    game = jigo.Game("2x1")
    game.play(0)
    game.play((1, 0))
    assert game.legal.tolist() == [False, False, True]
    game.play("pass")
    game.play(2)
    assert game.is_over and not game.legal.any()
    assert game.score().margin == -2
    with pytest.raises(jigo.IllegalMove):
        game.play("pass")


def test_moves_can_be_taken_back():
    game = jigo.Game(5, "chinese")
    states = []
    random = np.random.default_rng(1)
    while not game.is_over:
        states.append((repr(game), game.legal.tolist()))
        game.play(int(random.choice(np.flatnonzero(game.legal))))
    kept = copy.deepcopy(game)
    for text, legal in reversed(states):
        assert game.undo() is not None
        assert (repr(game), game.legal.tolist()) == (text, legal)
    assert game.undo() is None and len(game) == 0
    assert kept.is_over and len(kept) == len(states)


def test_arrays_and_diagrams_agree():
    board = jigo.Board.from_diagram(
        """
        . X . X O .
        X X X X O .
        O O O O O .
        """
    )
    assert board.size == (6, 3)
    assert board.stones.dtype == np.int8 and board.stones.shape == (3, 6)
    assert jigo.Board.from_array(board.stones) == board
    assert jigo.Board.from_array(board.stones.astype(np.int64).tolist()) == board
    assert jigo.Board.from_diagram(str(board)) == board
    assert {board: 1}[jigo.Board.from_diagram(str(board))] == 1
    assert "A B C D E F" in repr(board)
    assert board.area[0].tolist() == [1, 1, 1, 1, -1, -1]
    chains = board.status()
    assert [chain.status for chain in chains] == ["alive", "unsettled"]
    assert {chain.proof for chain in chains} <= {"benson", "static", "search"}
    assert board.unconditional_life("japanese")[:, :4].tolist() == [[1] * 4, [1] * 4, [0] * 4]
    assert board.score().margin == 8 - 10


def test_statuses_have_proofs():
    board = jigo.Board.from_diagram(". . . X O . O\nX X X X O O .\nO O O O O . O\n. O . O . O O")
    black, white, *_ = board.status("japanese")
    assert (black.status, black.proof, white.proof) == ("unsettled", "search", "benson")
    evidence = black.evidence()
    assert set(evidence["part"]) >= {"A4", "B4", "C4"}
    attack, defence = evidence["lines"]
    assert (attack["first"], attack["answer"], attack["plies"][0]) == ("White", "captured", "White B4")
    assert (defence["first"], defence["answer"]) == ("Black", "saved")
    assert "White (the opponent) first: captured" in black.explain()
    assert len(white.evidence()["vital_regions"]) >= 2


def test_dead_stones_are_prisoners():
    game = jigo.Game.from_board(jigo.Board.from_diagram(". X . . O"), "black", "territory")
    assert game.score(dead=["E1"]).margin == 5
    assert game.score().points == (1, 0)


@pytest.mark.parametrize("rules", ["tromp-taylor", "japanese", "makrai-area"])
def test_records_round_trip(rules):
    game = jigo.play(9, 1, rules=rules, seed=4)[0]
    record = game.to_sgf(komi=6.5)
    again = jigo.Game.from_sgf(record)
    assert again.moves == game.moves and repr(again) == repr(game)
    assert jigo.Game.from_sgf(record.encode()).to_sgf(komi=6.5) == record


@pytest.mark.parametrize("rules", ["japanese", "aga", "chinese"])
def test_records_keep_the_handicap(rules):
    game = jigo.play(9, 1, rules=rules, handicap=3)[0]
    again = jigo.Game.from_sgf(game.to_sgf())
    assert again.moves == game.moves and repr(again) == repr(game)
    assert again.score().margin == game.score().margin


def test_a_search_finds_the_capture():
    board = jigo.Board.from_diagram(
        """
        . . . . .
        . X O X .
        . X O X .
        . X O X .
        . . . . .
        """
    )
    game = jigo.Game.from_board(board, "black")
    found = game.search(playouts=400, seed=2)
    assert found.visits.dtype == np.uint32 and found.visits.shape == (26,)
    assert 200 < found.visits.sum() <= 400
    assert found.move in ("C5", "C1") and found.line[0] == found.move
    assert found.ownership.shape == (5, 5) and 0.5 < found.ownership[2, 2] <= 1
    tried = found.visits > 0
    assert np.isnan(found.margins[~tried]).all() and np.isfinite(found.margins[tried]).all()
    assert ((0 <= found.wins[tried]) & (found.wins[tried] <= 1)).all()
    again = game.search(playouts=400, seed=2)
    assert (again.visits == found.visits).all()


def finished():
    game = jigo.Game(9)
    game.play("pass")
    game.play("pass")
    return game


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: jigo.Game(26), "size"),
        (lambda: jigo.Game("9x"), "size"),
        (lambda: jigo.Game(9, "fancy"), "fancy"),
        (lambda: jigo.Game(9).play("J0"), "J0"),
        (lambda: jigo.Game(9).play("I5"), "I"),
        (lambda: jigo.Game(9).play(82), "from 0 to 81"),
        (lambda: jigo.Game(9).play(-1), "from 0 to 81"),
        (lambda: jigo.Game(9).play((9, 0)), "outside a 9x9 board"),
        (lambda: jigo.Game(9, handicap=99), "handicap"),
        (lambda: jigo.Board.from_diagram("X ?"), "row 1"),
        (lambda: jigo.Board.from_array(np.zeros((3, 3))), "float64"),
        (lambda: jigo.Board.from_array(np.zeros(9, int)), r"\(9,\)"),
        (lambda: jigo.Board.from_array(np.full((3, 3), 2)), "not 2"),
        (lambda: jigo.Board.from_array(np.ones((3, 3), int)), "libert"),
        (lambda: jigo.Game(9).search(0), "playouts"),
        (lambda: jigo.Game(9).search("uct:playouts=x"), "playouts"),
        (lambda: finished().search(10), "over"),
        (lambda: jigo.Game(9).search(10, komi=0.3), "komi"),
        (lambda: jigo.play(9, -1), "games"),
        (lambda: jigo.play(9, 10, seed=-1), "seed"),
        (lambda: jigo.play(9, 10, seed=2**64), "seed"),
        (lambda: jigo.play(9, 10, threads=0), "threads"),
        (lambda: jigo.play(9, 10, "clever"), "clever"),
        (lambda: jigo.play(25, 10, "uct:playouts=1000000,expand=1"), "MiB"),
        (lambda: jigo.play(9, 10, moves="words"), "words"),
        (lambda: jigo.play(9, 10).positions(per_game=0), "per_game"),
        (lambda: jigo.play(9, 10).positions(per_game=1, rate=0.5), "exclude"),
        (lambda: jigo.study([], games=10), "empty"),
        (lambda: jigo.fair_komi([1, 2, 3]), "at least 100"),
        (lambda: jigo.fair_komi(np.ones(200)), "float64"),
    ],
)
def test_wrong_arguments_say_what_is_right(call, words):
    with pytest.raises(jigo.InvalidArgument, match=words) as raised:
        call()
    assert isinstance(raised.value, jigo.Error) and isinstance(raised.value, ValueError)


@pytest.mark.parametrize(
    "call",
    [
        lambda: jigo.play(9, "many"),
        lambda: jigo.play(9, 1.5),
        lambda: jigo.Game(9).play(None),
        lambda: jigo.Game(9).play(0.5),
        lambda: jigo.Game(rules=3),
    ],
)
def test_wrong_types_are_type_errors(call):
    with pytest.raises(TypeError):
        call()


def test_broken_records_say_where():
    for record, words in [("(;SZ[9]", "byte 7"), ("", "0"), ("(;SZ[5];B[cc];W[cc])", "move 2"), (b"\xff", "byte 0")]:
        with pytest.raises(jigo.InvalidRecord, match=words):
            jigo.Game.from_sgf(record)


def test_small_boards_are_solved(command, tmp_path):
    for size, margin in [("2x2", 1), ("2x3", 0), ("1x5", 0), ("1x6", 1), ("3x3", 9)]:
        solution = jigo.Board(size).solve()
        assert solution.margin == margin and solution.bounds == (margin, margin)
        solution.save_proofs(tmp_path / f"{size}.proof")
        assert "at least" in command("verify", tmp_path / f"{size}.proof")
    assert jigo.Board("2x5").solve().holds_under_every_ko_rule
    for size in ("2x2", "1x5", "2x3"):
        for rules in ("area+simple-ko", "area+group-tax", "area+seki-tax+no-suicide", "japanese"):
            expected = json.loads(command("solve", size, "--rules", rules, "--json"))[0]
            solution = jigo.Board(size).solve(rules=rules)
            assert solution.bounds == (expected["least_margin"], expected["most_margin"])
            assert solution.holds_under_every_ko_rule == expected["every_ko_rule"]
    with pytest.raises(jigo.InvalidArgument, match="open"):
        jigo.Board(9).solve()

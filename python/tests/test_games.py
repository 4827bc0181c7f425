"""Games as Arrow streams: the same as those of the command."""

import pickle
import signal
import threading
import time

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import jigo


@pytest.mark.parametrize(
    "options, arguments",
    [
        ({"size": 9, "games": 3000}, ["--size", 9, "--games", 3000]),
        (
            {"size": "5x7", "games": 70_000, "policy": "guarded", "rules": "chinese", "seed": 7, "forbidden_candidates": True},
            ["--size", "5x7", "--games", 70_000, "--policy", "guarded", "--rules", "chinese", "--seed", 7, "--forbidden-candidates"],
        ),
        (
            {"size": 3, "games": 2000, "policy": "uniform", "moves": "binary", "ownership": True, "ply_cap": 20},
            ["--size", 3, "--games", 2000, "--policy", "uniform", "--moves", "binary", "--ownership", "--ply-cap", 20],
        ),
        (
            {"size": (4, 4), "games": 1000, "policy": "eye-safe:suicide=rules", "rules": "makrai-area", "moves": "none"},
            ["--size", 4, "--games", 1000, "--policy", "eye-safe:suicide=rules", "--rules", "makrai-area", "--moves", "none"],
        ),
        (
            {"size": 5, "games": 60, "policy": "uct:playouts=40", "threads": 1},
            ["--size", 5, "--games", 60, "--policy", "uct:playouts=40"],
        ),
        (
            {"size": 9, "games": 500, "rules": "japanese", "handicap": 3},
            ["--size", 9, "--games", 500, "--rules", "japanese", "--handicap", 3],
        ),
    ],
)
def test_games_are_those_of_the_command(command, tmp_path, options, arguments):
    command("play", "--out", tmp_path, *arguments)
    expected = pa.concat_tables(pq.read_table(path) for path in sorted(tmp_path.glob("**/*.parquet")))
    played = pa.table(jigo.play(**options))
    assert played.schema.equals(expected.schema, check_metadata=False)
    assert played.equals(expected)


def test_every_reader_of_arrow_takes_games():
    games = jigo.play(5, 1000, seed=3)
    table = pa.table(games)
    assert len(games) == table.num_rows == 1000
    assert pl.DataFrame(games).equals(pl.from_arrow(table))
    reader = pa.RecordBatchReader.from_stream(games)
    found = duckdb.sql("select count(*), sum(margin) from reader").fetchall()[0]
    assert found == (1000, sum(table["margin"].to_pylist()))
    assert pa.schema(games) == table.schema


def test_one_game_is_a_row():
    games = jigo.play("7x5", 20, rules="japanese", seed=5)
    rows = pa.table(games).to_pylist()
    for index in (0, 7, -1):
        game, row = games[index], rows[index]
        codes = [jigo_code(game, name) for name in game.moves]
        assert codes == row["moves"]
        assert game.is_over and int(np.sum(game.board.area)) == row["black_area"] - row["white_area"]
    with pytest.raises(IndexError):
        games[20]


def jigo_code(game, name):
    """The number of a move by its name."""
    width, height = game.size
    if name == "pass":
        return width * height
    return (height - int(name[1:])) * width + "ABCDEFGHJKLMNOPQRSTUVWXYZ".index(name[0])


def test_games_can_be_pickled():
    games = jigo.play("4x3", 50, "uniform", "japanese", 2**64 - 1, ply_cap=30, ownership=True, threads=1)
    again = pickle.loads(pickle.dumps(games))
    assert repr(again) == repr(games)
    assert pa.table(again).equals(pa.table(games))


def test_no_games_are_an_empty_table():
    assert pa.table(jigo.play(9, 0)).num_rows == 0


@pytest.fixture
def ctrl_c():
    """Makes Ctrl-C raise an exception even where the tests run in the background of a shell, whose programs ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("size", [1, 25])
@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_stops_a_stream_at_once(size):
    games = jigo.play(size, 30_000_000)

    def interrupt(after):
        """Returns how long the stream goes on after Ctrl-C."""
        pressed = []

        def press():
            pressed.append(time.monotonic())
            signal.raise_signal(signal.SIGINT)

        threading.Timer(after, press).start()
        with pytest.raises(KeyboardInterrupt):
            try:
                pa.table(games)
            except Exception:  # that of the reader, after which the interruption is raised
                while True:
                    time.sleep(0.001)
        return time.monotonic() - pressed[0]

    # At several moments: while games are played, and while batches are made of them.
    times = [interrupt(moment / 20) for moment in range(4, 12)]
    assert max(times) < 0.2, times


def test_other_threads_go_on_while_games_are_played():
    ticks = []

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.002)

    done = threading.Event()
    other = threading.Thread(target=tick)
    other.start()
    pa.table(jigo.play(9, 60_000))
    done.set()
    other.join()
    assert len(ticks) > 5 and max(np.diff(ticks)) < 0.2

"""Other processes, threads and interpreters."""

import multiprocessing
import os
import subprocess
import sys
import textwrap
import threading

import pyarrow as pa
import pytest

import jigo


def margins(seed):
    env = jigo.VectorEnv(8, 5, seed=seed)
    env.reset()
    for _ in range(20):
        env.step(env.sample())
    return sum(pa.table(jigo.play(5, 200, seed=seed))["margin"].to_pylist()), env.to_play.tolist()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_work_in_other_processes(method):
    expected = [margins(seed) for seed in range(4)]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(margins, range(4)).get(timeout=60) == expected


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_an_environment_goes_on_in_a_forked_process():
    env = jigo.VectorEnv(64, 5, threads=2)
    env.reset()
    env.step(env.sample())
    child = os.fork()
    if child == 0:
        try:
            env.step(env.sample())
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    env.step(env.sample())


def test_threads_share_a_description_of_games():
    games = jigo.play(5, 500)
    tables = [None] * 4

    def read(index):
        tables[index] = pa.table(games)

    threads = [threading.Thread(target=read, args=(index,)) for index in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert all(table.equals(tables[0]) for table in tables)


def run(code):
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=60)


def test_a_second_interpreter_plays_or_is_refused():
    code = """
        import importlib, sys, jigo
        name = "_xxsubinterpreters" if sys.version_info < (3, 13) else "_interpreters"
        interpreters = importlib.import_module(name)
        interpreters.run_string(interpreters.create(), "try:\\n import jigo\\n print(jigo.Game(5).legal_moves[0])\\nexcept ImportError: print('refused')")
        print(jigo.Game(5).legal_moves[0])
    """
    done = run(code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() in (["A5", "A5"], ["refused", "A5"])


def test_numpy_is_there_before_arrays_are_made():
    done = run("import sys, jigo; print('numpy' in sys.modules)")
    assert done.stdout == "True\n", done.stderr


def test_ctrl_c_stops_measuring_within_a_fifth_of_a_second():
    code = """
        import signal, threading, time, jigo
        signal.signal(signal.SIGINT, signal.default_int_handler)
        pressed = []
        def press():
            pressed.append(time.monotonic())
            signal.raise_signal(signal.SIGINT)
        for work in (lambda: jigo.study(19, games=10**8), lambda: list(jigo.positions(19, 10**8)),
                     lambda: jigo.Game(19).search(1_000_000)):
            threading.Timer(0.4, press).start()
            try:
                work()
            except KeyboardInterrupt:
                print(time.monotonic() - pressed[-1])
    """
    done = run(code)
    times = [float(line) for line in done.stdout.split()]
    assert len(times) == 3 and max(times) < 0.2, (times, done.stderr)

"""Studies: the estimates of the command's report."""

import csv
import json

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import jigo


@pytest.fixture(scope="module")
def study():
    return jigo.study([5, "3x4"], rules=["tromp-taylor", "japanese"], policies="guarded:k=3", games=2000, seed=3)


def test_estimates_and_tables_are_those_of_the_command(command, tmp_path, study):
    arguments = ["--size", "5,3x4", "--rules", "tromp-taylor,japanese", "--policy", "guarded:k=3", "--games", 2000, "--seed", 3]
    summary = json.loads(command("study", *arguments, "--out", tmp_path / "command", "--json"))
    for run, cell in zip(study.runs, summary["cells"], strict=True):
        fair = cell["finished"]["fair_komi"]["estimate"]
        assert float(run.fair_komi) == fair["estimate"]
        assert (run.fair_komi.lower, run.fair_komi.upper) == (fair["interval"]["lower"], fair["interval"]["upper"])
        assert run.black_wins.value == cell["finished"]["black_wins"]["share"]
        assert run.komi == cell["komi"] and run.games == cell["games"]
        assert sum(run.margins.values()) == cell["finished"]["games"]
    study.save(tmp_path / "python")
    again = study.to_html().split("To reproduce</dt><dd><code>")[1].split("</code>")[0].split()
    assert json.loads(command(*again[1:], "--out", tmp_path / "again", "--json"))["cells"] == summary["cells"]
    names = sorted(path.name for path in (tmp_path / "command").iterdir())
    assert names == sorted(path.name for path in (tmp_path / "python").iterdir())
    for name in names:
        if name.endswith(".csv"):
            assert (tmp_path / "python" / name).read_bytes() == (tmp_path / "command" / name).read_bytes()
    for name, stream in study.tables.items():
        table = pa.table(stream)
        with open(tmp_path / "command" / f"{name}.csv", newline="") as file:
            header, *rows = csv.reader(file)
        assert table.column_names == header and table.num_rows == len(rows)
        for column, cells in zip(table.columns, zip(*rows)):
            for value, cell in zip(column.to_pylist(), cells):
                assert (value is None) == (cell == "")
                assert value is None or str(value).lower() == cell.lower() or float(value) == float(cell)


def test_a_study_shows_itself(study):
    assert "fair komi" in str(study)
    page = study._repr_html_()
    assert page.startswith("<iframe srcdoc=") and "&lt;" not in page[:40] and page.count('"') == 6
    assert "fair_komi" in dir(study.runs[0]) and "points" in repr(study.runs[0].fair_komi)
    assert pl.DataFrame(study.tables["margins"]).height > 10
    with pytest.raises(AttributeError, match="nothing"):
        study.runs[0].nothing


def test_parts_are_merged_and_never_counted_twice(study):
    other = jigo.study([5, "3x4"], rules=["tromp-taylor", "japanese"], policies="guarded:k=3", games=1000, seed=4)
    both = study.merge(other)
    assert [run.games for run in both.runs] == [3000] * 4
    with pytest.raises(jigo.InvalidArgument):
        study.merge(study)


def test_too_few_games_have_no_fair_komi():
    fair = jigo.study(7, games=50).runs[0].fair_komi
    assert fair.value is None and np.isnan(float(fair)) and "100" in fair.reason


def test_fair_komi_of_margins():
    games = pl.DataFrame(jigo.play(5, 5000, seed=2)).filter(~pl.col("capped")).to_arrow()
    run = jigo.study(5, games=5000, seed=2).runs[0]
    for margins in (games["margin"], pl.from_arrow(games)["margin"], games["margin"].to_numpy(), games["margin"].to_pylist()):
        fair = jigo.fair_komi(margins)
        assert (fair.value, fair.lower, fair.upper) == (run.fair_komi.value, run.fair_komi.lower, run.fair_komi.upper)
        assert fair.games == len(games) and fair.half % 1 == 0.5 and fair.whole % 1 == 0

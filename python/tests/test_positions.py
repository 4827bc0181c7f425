"""Positions for training: the same as those of the command's export."""

import numpy as np
import pytest

import jigo


@pytest.mark.parametrize(
    "options, sampling, arguments, export",
    [
        ({"size": 9, "games": 4000}, {"per_game": 3}, ["--size", 9, "--games", 4000], ["--positions-per-game", 3]),
        (
            {"size": "5x7", "games": 900, "policy": "guarded", "rules": "japanese", "ply_cap": 50},
            {"rate": 0.25, "komi": 2.5, "capped": "include"},
            ["--size", "5x7", "--games", 900, "--policy", "guarded", "--rules", "japanese", "--ply-cap", 50],
            ["--position-rate", 0.25, "--komi", 2.5, "--capped", "include"],
        ),
        ({"size": 5, "games": 30, "policy": "uct:playouts=30"}, {}, ["--size", 5, "--games", 30, "--policy", "uct:playouts=30"], ["--positions-per-game", 1]),
    ],
)
def test_positions_are_those_of_the_export(command, tmp_path, options, sampling, arguments, export):
    command("play", "--out", tmp_path / "games", *arguments)
    command("export", tmp_path / "games", "--out", tmp_path / "arrays", "--to", "npz", *export)
    files = [np.load(path) for path in sorted((tmp_path / "arrays").glob("*.npz"))]
    expected = {name: np.concatenate([file[name] for file in files]) for name in files[0].files}
    batches = list(jigo.positions(**options, **sampling))
    found = {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}
    packed = expected.pop("binaryInputNCHWPacked")
    height, width = expected["stones"].shape[1:]
    planes = np.unpackbits(packed, axis=2)[:, :, : height * width].reshape(len(packed), 22, height, width)
    assert (found.pop("binaryInputNCHW") == planes).all()
    assert set(found) == set(expected)
    for name, array in expected.items():
        assert found[name].dtype == array.dtype and found[name].shape == array.shape, name
        np.testing.assert_array_equal(found[name], array, err_msg=name)


def test_iteration_can_be_given_up():
    batches = jigo.positions(9, 1_000_000, per_game=5)
    first = next(batches)
    second = next(batches)
    assert first["game_index"].max() < second["game_index"].min()
    del batches
    assert first["stones"].any()

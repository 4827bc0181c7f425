"""jigo in the processes of PyTorch's DataLoader."""

import numpy as np
import pytest

import jigo

torch = pytest.importorskip("torch")
data = torch.utils.data


class Margins(data.Dataset):
    """Games by their numbers, each played when it is asked for."""

    def __init__(self, games):
        self.games = games

    def __len__(self):
        return len(self.games)

    def __getitem__(self, index):
        return self.games[index].score().margin


class Outcomes(data.IterableDataset):
    """Positions of games with another seed in each process."""

    def __iter__(self):
        for batch in jigo.positions(5, 200, seed=data.get_worker_info().id):
            yield from batch["globalTargetsNC"][:, 3]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_loaders_with_workers(method):
    games = jigo.play(5, 64, seed=3)
    loader = data.DataLoader(Margins(games), batch_size=16, num_workers=2, multiprocessing_context=method)
    assert torch.cat(list(loader)).tolist() == [game.score().margin for game in games]

    loader = data.DataLoader(Outcomes(), batch_size=None, num_workers=2, multiprocessing_context=method)
    expected = [batch["globalTargetsNC"][:, 3] for seed in range(2) for batch in jigo.positions(5, 200, seed=seed)]
    assert sorted(map(float, loader)) == sorted(np.concatenate(expected).tolist())

"""Series made of sines, windows cut from them, standardised by numpy."""

import numpy as np


def series(n, length, seed=0):
    rng = np.random.default_rng(seed)
    t = np.linspace(0, 8 * np.pi, length)
    phases = rng.uniform(0, 2 * np.pi, (n, 1))
    noise = rng.normal(scale=0.05, size=(n, length))
    return np.sin(t[None, :] + phases) + noise


class Standardiser:
    def fit(self, x):
        self.mean = x.mean(axis=1, keepdims=True)
        self.std = x.std(axis=1, keepdims=True)
        return self

    def transform(self, x):
        return ((x - self.mean) / self.std).astype(np.float32)

    def fit_transform(self, x):
        return self.fit(x).transform(x)


def windows(x, size, stride=1):
    from . import WINDOW

    size = size or WINDOW
    cut = [x[:, i : i + size + 1] for i in range(0, x.shape[1] - size, stride)]
    both = np.concatenate(cut)
    return both[:, :-1], both[:, -1]


def loader(inputs, targets, batch, rng):
    order = rng.permutation(len(inputs))
    for i in range(0, len(order), batch):
        rows = order[i : i + batch]
        if len(rows) < batch:
            return
        yield inputs[rows], targets[rows]

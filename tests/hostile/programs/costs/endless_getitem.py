"""time: an object that is a sequence without an end, read by C."""

import itertools

import numpy as np


class Endless:
    def __getitem__(self, i):
        return 0.5

    def __len__(self):
        return 1 << 62


x = sum(itertools.chain.from_iterable(itertools.repeat((1,))))
y = np.array(Endless())

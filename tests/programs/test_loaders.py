"""Loaders of data whose library is not called: what the program's own classes and functions make of items is known."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluating import evaluate_text

from jaxtyping_core.evaluation.client import Evaluator

pytestmark = pytest.mark.one_python
HEAD = """
import numpy as np
import jax.numpy as jnp
"""
PAIRS = """
from torch.utils import data
from torch.utils.data import DataLoader, Dataset, random_split

class Pairs(Dataset):
    def __init__(self, n, transform=None):
        self.x = np.zeros((n, 5), np.float32)
        self.y = np.arange(n)
        self.transform = transform

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        x = self.x[i]
        if self.transform:
            x = self.transform(x)
        return x, int(self.y[i])

def collate(batch):
    xs, ys = zip(*batch)
    return jnp.stack([jnp.asarray(x) for x in xs]), jnp.array(ys)

def numpy_collate(batch):
    if isinstance(batch[0], np.ndarray):
        return np.stack(batch)
    elif isinstance(batch[0], (tuple, list)):
        return [numpy_collate(samples) for samples in zip(*batch)]
    else:
        return np.array(batch)

class NumpyLoader(data.DataLoader):
    def __init__(self, dataset, batch_size=1, drop_last=False):
        super().__init__(dataset, batch_size=batch_size, collate_fn=numpy_collate, drop_last=drop_last)

class Flat:
    def __call__(self, picture):
        return np.ravel(np.array(picture, dtype=jnp.float32))
"""
SQUARES = """
import grain.python as grain
from nowhere import pictures

class Flat(grain.MapTransform):
    def map(self, element):
        picture = element.get("image", element.get("img"))
        return (picture.astype(np.float32) / 255.0).flatten()

class Square(grain.MapTransform):
    def map(self, element):
        return element.reshape(28, 28)

class Noisy(grain.RandomMapTransform):
    def random_map(self, element, rng):
        return {"x": element + rng.normal(size=element.shape).astype(np.float32), "y": 3}

class Source(grain.RandomAccessDataSource):
    def __init__(self):
        self.rows = np.zeros((100, 6), np.float32)

    def __len__(self):
        return 100

    def __getitem__(self, index):
        return {"row": self.rows[index], "class": int(index) % 10, "name": "row"}
"""
#: Programs with what is known of their names.
PROGRAMS = {
    "batches of one size": (
        PAIRS
        + """
train, test = random_split(Pairs(100), [80, 20])
for x, y in DataLoader(train, batch_size=16, shuffle=True, collate_fn=collate, drop_last=True):
    a, b = x, y
""",
        {"a": "float32[16, 5]", "b": "int32[16]"},
    ),
    "a last batch that is smaller": (
        PAIRS
        + """
loader = DataLoader(Pairs(100), batch_size=16, collate_fn=collate)
for x, y in loader:
    a, b = x, y
c = jnp.ones(loader.batch_size)
""",
        {"a": "float32[?, 5]", "b": "int32[?]", "c": "float32[16]"},
    ),
    "a loader of the program": (
        PAIRS
        + """
x, y = next(iter(NumpyLoader(Pairs(30, Flat()), batch_size=8, drop_last=True)))
a, b = jnp.asarray(x), jnp.asarray(y)
""",
        {"a": "float32[8, 5]", "b": "int32[8]"},
    ),
    "a batch size that is not known": (
        PAIRS
        + """
from nowhere import size
for x, y in NumpyLoader(Pairs(30), size):
    a, b = jnp.asarray(x), jnp.asarray(y)
""",
        {"a": "float32[?, 5]", "b": "int32[?]"},
    ),
    "tensors": (
        PAIRS
        + """
import torch
for x, y in DataLoader(Pairs(30), 4, drop_last=True):
    a, b = jnp.asarray(x), jnp.array(y.numpy())
    c, d = jnp.asarray(x[0].float().cpu().numpy()), jnp.ones(x.shape[1])
    e = jnp.ones(x.shape[0])
    f = jnp.asarray(x.view(x.shape[0], -1).numpy())
    g = jnp.asarray(x.permute(1, 0))
    for row in x:
        h = jnp.asarray(row)
i = jnp.asarray(torch.from_numpy(np.zeros((3, 2), np.float32)).double().numpy())
j = jnp.asarray(np.array(torch.tensor(np.arange(3))))
k = jnp.ones(len(x))
""",
        {
            "a": "float32[4, 5]",
            "b": "int32[4]",
            "c": "float32[5]",
            "d": "float32[5]",
            "e": "float32[4]",
            "f": "float32[4, 5]",
            "g": "Array[...]",
            "h": "float32[5]",
            "i": "float32[3, 2]",
            "j": "int32[3]",
        },
    ),
    "transformations of what is unknown": (
        SQUARES
        + """
for batch in grain.load(pictures, batch_size=32, drop_remainder=True, transformations=[Flat(), Square()]):
    a = jnp.asarray(batch)
""",
        {"a": "float32[32, 28, 28]"},
    ),
    "random transformations": (
        SQUARES
        + """
operations = [Flat(), Square(), Noisy(), grain.Batch(4)]
for batch in grain.DataLoader(data_source=pictures, sampler=None, operations=operations):
    a = jnp.asarray(batch["y"])
""",
        {"a": "int32[?]"},
    ),
    "a source of the program": (
        SQUARES
        + """
sampler = grain.IndexSampler(100, shuffle=True, seed=0, shard_options=grain.NoSharding())
loader = grain.DataLoader(data_source=Source(), sampler=sampler, operations=[grain.Batch(batch_size=5, drop_remainder=True)])
for batch in loader:
    a, b = jnp.asarray(batch["row"]), jnp.asarray(batch["class"])
""",
        {"a": "float32[5, 6]", "b": "int32[5]"},
    ),
    "a data set with methods": (
        SQUARES
        + """
rows = grain.MapDataset.source(Source()).shuffle(seed=1).map(lambda each: each["row"][:2])
for batch in rows.batch(batch_size=5, drop_remainder=True).to_iter_dataset():
    a = jnp.asarray(batch)
""",
        {"a": "float32[5, 2]"},
    ),
    "files of numbers": (
        """
from nowhere import path, dtype
data = np.memmap(path, dtype=np.uint16, mode="r")
rows = np.random.randint(0, len(data) - 8, (4,))
a = jnp.stack([data[i : i + 8] for i in rows])
b = jnp.asarray(np.memmap(path, np.float32, "r", shape=(3, 4)))
c = jnp.asarray(np.frombuffer(open(path, "rb").read(), np.uint8, offset=16).reshape(-1, 28, 28))
d = jnp.asarray(np.loadtxt(path, delimiter=","))
e = jnp.asarray(np.fromfile(path, dtype))
""",
        {
            "a": "uint16[4, ?]",
            "b": "float32[3, 4]",
            "c": "uint8[?, 28, 28]",
            "d": "float32[...]",
            "e": "Array[...]",
        },
    ),
    "pictures": (
        PAIRS
        + """
from torchvision.datasets import MNIST
for x, y in NumpyLoader(MNIST("data", download=True, transform=Flat()), batch_size=8, drop_last=True):
    a, b = jnp.asarray(x), jnp.asarray(y)
""",
        {"a": "float32[8, 784]", "b": "int32[8]"},
    ),
    "batches of a catalog": (
        """
import tensorflow as tf
import tensorflow_datasets as tfds

train, test = tfds.load("mnist", split=["train", "test"])

def scaled(sample):
    return {"image": tf.cast(sample["image"], tf.float32) / 255, "label": sample["label"]}

train = train.map(scaled).repeat().shuffle(1024).batch(32, drop_remainder=True).take(5).prefetch(1)
for batch in train.as_numpy_iterator():
    a, b = jnp.asarray(batch["image"]), jnp.asarray(batch["label"])
for batch in tfds.as_numpy(test.batch(8)):
    c = jnp.asarray(batch["image"])
for image, label in tfds.load("cifar10", split="train", as_supervised=True, batch_size=4):
    d, e = jnp.asarray(image.numpy()), jnp.array(label)
whole = tfds.as_numpy(tfds.builder("mnist").as_dataset(split="train", batch_size=-1))
f = jnp.float32(whole["image"]) / 255.0
for x, y in tf.data.Dataset.from_tensor_slices((np.zeros((10, 3), np.float32), np.arange(10))).batch(5, True):
    g, h = jnp.asarray(x.numpy()), jnp.asarray(y.numpy())
for batch in tfds.as_numpy(tfds.load("imagenet2012", split="train").batch(8)):
    i = jnp.asarray(batch["image"])
""",
        {
            "a": "float32[32, 28, 28, 1]",
            "b": "int32[32]",
            "c": "uint8[?, 28, 28, 1]",
            "d": "uint8[?, 32, 32, 3]",
            "e": "int32[?]",
            "f": "float32[60000, 28, 28, 1]",
            "g": "float32[5, 3]",
            "h": "int32[5]",
            "i": "Array[...]",
        },
    ),
    "numbers of a text": (
        """
import tiktoken
encoding = tiktoken.get_encoding("gpt2")
tokens = encoding.encode(open("text.txt").read(), allowed_special={"<|endoftext|>"})
a = jnp.array(tokens)
b = jnp.array([tokens[i : i + 8] for i in range(4)])
c = jnp.array(encoding.encode_ordinary("text")[:-1], dtype=jnp.uint16)
""",
        {"a": "int32[?]", "b": "?[4, ?]", "c": "uint16[?]"},
    ),
    "pictures as tensors": (
        PAIRS
        + """
from torchvision import datasets, transforms
transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.5,), (0.5,))])
train, rest = random_split(datasets.CIFAR10("data", train=True, transform=transform), [0.9, 0.1])
for x, y in DataLoader(train, batch_size=8, drop_last=True):
    a, b = jnp.asarray(x.numpy()), jnp.asarray(y.numpy())
""",
        {"a": "float32[8, 3, 32, 32]", "b": "int32[8]"},
    ),
    "pictures that are opened": (
        """
from PIL import Image
import sys

def read(path, size=(64, 32)):
    with Image.open(path) as picture:
        return np.array(picture.convert("RGB").resize(size, Image.BILINEAR), dtype=np.float32) / 255

a = jnp.stack([read(path) for path in ("a.png", "b.png")])
b = jnp.asarray(np.asarray(Image.open("a.png").convert("L")))
c = jnp.asarray(np.asarray(Image.open("a.png")).astype("float32"))
small = Image.new("RGB", (8, 4))
d = jnp.asarray(np.array(small))
small.thumbnail((2, 2))
e = jnp.asarray(np.array(small))
f = jnp.asarray(np.array(Image.fromarray(np.zeros((4, 8, 3), np.uint8)).convert("L")))
g = jnp.ones(small.size)
""",
        {
            "a": "float32[2, 32, 64, 3]",
            "b": "uint8[?, ?]",
            "c": "float32[...]",
            "d": "uint8[4, 8, 3]",
            "e": "uint8[?, ?, 3]",
            "f": "uint8[4, 8]",
            "g": "float32[...]",
        },
    ),
    "all pictures of a data set": (
        """
from torchvision import datasets

def arrays(make):
    d = make(root="data", train=True)
    return [jnp.array(x.cpu().numpy()) for x in (d.data, d.targets, d.train_labels)]

a, b, c = arrays(lambda **options: datasets.MNIST(**options))
d = jnp.asarray(datasets.CIFAR10("data").data)
e = jnp.array(datasets.CIFAR10("data").targets)
f = a.reshape(a.shape[0], -1)
""",
        {
            "a": "uint8[?, 28, 28]",
            "b": "int32[?]",
            "c": "int32[?]",
            "d": "uint8[?, 32, 32, 3]",
            "e": "int32[?]",
            "f": "uint8[?, 784]",
        },
    ),
}


@pytest.mark.parametrize("case", PROGRAMS)
def test_batches_are_known(child: Evaluator, tmp_path: Path, case: str) -> None:
    text, expected = PROGRAMS[case]
    report = evaluate_text(child, tmp_path, HEAD + text)
    known = {place.name: place.value for place in report.places}
    assert {name: known.get(name) for name in expected} == expected
    assert not report.refusals

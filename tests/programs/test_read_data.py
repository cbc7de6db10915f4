"""What libraries read of files and data sets: arrays, as far as the library says which."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluating import evaluate_text

from jaxtyping_core.evaluation.client import Evaluator

pytestmark = pytest.mark.one_python
HEAD = """
import cv2
import gymnasium as gym
import h5py
import imageio
import jax.numpy as jnp
import numpy as np
import tensorflow as tf
from keras.datasets import mnist
from safetensors.numpy import load_file
from tensorflow.keras.datasets import cifar100

(images, labels), (_, tests) = mnist.load_data()
picture = cv2.imread("a.png")
file = h5py.File("a.h5")

def make(seed):
    def thunk():
        env = gym.make("CartPole-v1")
        env = gym.wrappers.RecordEpisodeStatistics(env)
        return env
    return thunk

envs = gym.vector.SyncVectorEnv([make(each) for each in range(3)])
"""
#: Expressions, each with the dtype and the shape of what it becomes.
ARRAYS = {
    "images": ("uint8", (60000, 28, 28)),
    "tests": ("uint8", (10000,)),
    "cifar100.load_data()[0][1]": (None, (50000, 1)),
    "tf.keras.datasets.fashion_mnist.load_data()[1][0]": ("uint8", (10000, 28, 28)),
    "picture": ("uint8", (None, None, 3)),
    "cv2.imread('a.png', cv2.IMREAD_GRAYSCALE)": ("uint8", (None, None)),
    "cv2.imread('a.png', unknown)": (None, None),
    "cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)": ("uint8", (None, None)),
    "cv2.cvtColor(picture, unknown)": (None, None),
    "cv2.resize(picture, (64, 32))": ("uint8", (32, 64, 3)),
    "cv2.resize(np.zeros((5, 4, 1), np.float32), (8, 9))": ("float32", (9, 8)),
    "jnp.asarray(file['x'][:], jnp.float32)": ("float32", None),
    "jnp.asarray(load_file('a')['w'], jnp.float32)": ("float32", None),
    "jnp.asarray(imageio.imread('a.png'), jnp.float32)": ("float32", None),
    "envs.reset()[0]": ("float32", (3, 4)),
    "envs.step(envs.action_space.sample())[2]": ("bool", (3,)),
}


@pytest.mark.parametrize("text", ARRAYS)
def test_what_is_read(child: Evaluator, tmp_path: Path, text: str) -> None:
    program = f"{HEAD}from nowhere import unknown\nx = jnp.asarray({text})\n"
    places = {place.name: place.known for place in evaluate_text(child, tmp_path, program).places}
    known = places.get("x")
    assert ((None, None) if known is None else (known.dtype, known.shape)) == ARRAYS[text]

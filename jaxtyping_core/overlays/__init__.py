"""What is known of libraries: one module, or one folder, for each, under its name. `engine.libraries.overlay` says what it may tell."""

from __future__ import annotations

from ..engine.libraries.overlay import words

#: Libraries without an overlay whose functions keep nothing of what they are passed, and change nothing of it.
ONLOOKERS = words(
    """
    PIL datasets imageio matplotlib mlflow orbax pandas plotly psutil requests rich scipy seaborn
    sklearn tensorboard tensorboardX tensorflow tensorflow_datasets torch torchvision wandb
    """
)

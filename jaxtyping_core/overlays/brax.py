"""Brax: its environments are called. Its readers and writers of files, and what trains and keeps checkpoints, are not."""

from __future__ import annotations

from ..engine.libraries.overlay import Overlay, words

OVERLAY = Overlay(
    library="brax",
    within=words("mujoco"),
    denied={
        "brax": words("experimental io test_utils tools"),
        "brax.envs": words("register_environment"),
        "brax.training": words("agents checkpoint learner logger pmap"),
    },
)

"""evosax: learned strategies unpickle their weights, from a file or from bytes."""

from __future__ import annotations

from ..engine.libraries.overlay import Overlay, words

_LEARNED = words("CMAAnchoredLES LearnedES LearnedGA learned_evolution")

OVERLAY = Overlay(
    library="evosax",
    denied={
        "evosax": words("learned_evolution"),
        "evosax.algorithms": _LEARNED,
        "evosax.algorithms.distribution_based": _LEARNED | words("cma_anchored_les learned_es"),
        "evosax.algorithms.population_based": _LEARNED | words("learned_ga"),
    },
)

"""NumPyro: models are walked for their sites, and samplers take no steps.

Where it makes code of texts, as `engine.libraries.trust.sealed` has it:

| library | what | why nothing of the program gets there |
| --- | --- | --- |
| `numpyro.contrib.nested_sampling` | `exec` with the names of sites | denied |
"""

from __future__ import annotations

from ...engine.libraries.overlay import Overlay, words
from . import distributions, inference, sites

OVERLAY = Overlay(
    library="numpyro",
    denied={
        "numpyro": words(
            "enable_validation enable_x64 examples render_model set_host_device_count set_platform util"
        ),
        "numpyro.contrib": words("nested_sampling render"),
        "numpyro.infer": words("TraceEnum_ELBO initialize_model util"),
        "numpyro.diagnostics": words("print_summary"),
    },
    functions=sites.FUNCTIONS,
    compared={"numpyro.primitives.sample": distributions.compared},
    namespaces=inference.namespaces,
    calls=sites,
)

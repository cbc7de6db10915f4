"""``python -m jaxtyping_core`` is the command line."""

from jaxtyping_core.cli import main

main()

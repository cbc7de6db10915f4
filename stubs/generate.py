"""Write the generated stubs, or check that the committed ones are current.

Usage: ``python stubs/generate.py [--check [--regenerate MODULE ...]]``. The committed stubs describe one release of JAX
(`RELEASE`); with another one installed, ``--check`` has nothing to compare with and says so. Writing takes minutes; the
check compares with the manifest, `stubs/generated.json`, and takes a second; for the modules that are named, it finds
out about their functions anew, and compares the text.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import jax

from jaxtyping_core_stubs import files, manifest, package, public, surface
from jaxtyping_core_stubs.rules import report

RELEASE = "0.12"
ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "stubs" / "jax-stubs"
MANIFEST = ROOT / "stubs" / "generated.json"


def generated() -> dict[Path, str]:
    """Every generated file with its text."""
    stubs = {PACKAGE / path: text for path, text in package.package().items()}
    return {
        **stubs,
        ROOT / "jaxtyping_core" / "typing.pyi": package.finished(public.MODULE, public.render()),
        ROOT / "docs" / "reference" / "functions.md": report.report(sorted(surface.surface().arrays)),
    }


def main(arguments: list[str] | None = None) -> int:
    """Run the command; the exit status."""
    parser = argparse.ArgumentParser(description="Write the generated stubs.")
    parser.add_argument("--check", action="store_true", help="only report which files are not current")
    parser.add_argument("--regenerate", nargs="+", default=[], metavar="MODULE", help="compare these as text")
    options = parser.parse_args(arguments)
    check = options.check or bool(options.regenerate)
    if check and not jax.__version__.startswith(f"{RELEASE}."):
        print(f"The committed stubs are those of JAX {RELEASE}, not of {jax.__version__}: nothing compared.")
        return 0
    if not check:
        texts = generated()
        files.write({**texts, MANIFEST: manifest.render(texts, ROOT)}, [PACKAGE])
        return 0
    wrong = manifest.differences(MANIFEST, [PACKAGE], ROOT)
    for path, text in package.modules_as_text(options.regenerate).items():
        wrong += files.changed_lines(PACKAGE / path, text)
    print("\n".join([*wrong, "Run: python stubs/generate.py"] if wrong else ["The stubs are current."]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

"""What holds in a run without options is told apart from what holds in all runs, and no error comes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxtyping_core.programs.evaluate import evaluate_programs
from jaxtyping_core.programs.report import Report
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings
from jaxtyping_core.showing.listing import listings, value
from jaxtyping_core.showing.page import page

HEAD = (
    "import argparse\nimport dataclasses\nimport jax.numpy as jnp\nimport tyro\nfrom absl import app, flags\n"
)
PARSER = "parser = argparse.ArgumentParser()\n"


def evaluated(folder: Path, text: str) -> Report:
    file = folder / "program.py"
    file.write_text(HEAD + text)
    return evaluate_programs([*collect([file], ())], Settings(), cached=False, with_defaults=True)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        pytest.param(
            f"{PARSER}parser.add_argument('--n', type=int, default=3)\n"
            "parser.add_argument('--fast', action='store_true')\nargs = parser.parse_args()\n"
            "x = jnp.ones((args.n, 2))\ny = jnp.ones(3) if args.fast else jnp.ones(4)\nz = jnp.ones(5)\n",
            {"x": "float32[3, 2] by default", "y": "float32[4] by default", "z": "float32[5]"},
            id="argparse",
        ),
        pytest.param(
            f"{PARSER}parser.add_argument('--n', type=int, required=True)\nparser.add_argument('m', type=int)\n"
            "parser.add_argument('--k', type=int, default='3')\nargs = parser.parse_args()\n"
            "x = jnp.ones((args.n, args.m, args.k))\n",
            {"x": "float32[?, ?, ?]"},
            id="no defaults, or not as they are written",
        ),
        pytest.param(
            "def sizes(text):\n    read = tuple(int(each) for each in text.split(','))\n"
            "    if not read or any(each < 1 for each in read):\n        raise argparse.ArgumentTypeError(text)\n"
            "    return read\n"
            "def yes(text):\n    return text.lower() in ('yes', 'true')\n"
            "calls = []\ndef counted(text):\n    calls.append(text)\n    return 3\n"
            "def never(text):\n    raise argparse.ArgumentTypeError(text)\n"
            f"{PARSER}parser.add_argument('--sizes', type=sizes, default=(2, 3))\n"
            "parser.add_argument('--first', type=lambda text: [int(each) for each in text.split(',')][0], default='4')\n"
            "parser.add_argument('--yes', type=yes, required=True)\n"
            "parser.add_argument('--counted', type=counted, default=3)\n"
            "parser.add_argument('--never', type=never, default=3)\nargs = parser.parse_args()\n"
            "for size in args.sizes:\n    x = jnp.arange(size * 2)\n"
            "y = jnp.ones((args.first, 2))\nz = jnp.where(args.yes, jnp.ones(2), 0)\n"
            "w = jnp.ones((len(calls), 2))\nv = jnp.asarray(args.never)\n",
            {
                "x": "int32[?]",
                "y": "float32[?, 2]",
                "z": "float32[2]",
                "w": "float32[?, 2]",
                "v": "weak int32[] by default",
            },
            id="functions that read options",
        ),
        pytest.param(
            f"{PARSER}parser.add_argument('--n', type=int, default=3)\nargs = parser.parse_args(['--n', '4'])\n"
            "x = jnp.ones(args.n)\n",
            {"x": "float32[?]"},
            id="a list of the program's",
        ),
        pytest.param(
            f"{PARSER}parser.add_argument('--n', type=int, default=3)\nparser.set_defaults(n=5)\n"
            "x = jnp.ones(parser.parse_args().n)\n",
            {"x": "float32[5] by default"},
            id="set_defaults",
        ),
        pytest.param(
            "FLAGS = flags.FLAGS\nflags.DEFINE_integer('n', 3, 'sizes')\nflags.DEFINE_integer('m', None, 'sizes')\n"
            "def main(_):\n    x = jnp.ones(FLAGS.n)\n    y = jnp.ones((FLAGS.m, 2))\n"
            "if __name__ == '__main__':\n    app.run(main)\n",
            {"x": "float32[3] by default", "y": "float32[?, 2]"},
            id="absl",
        ),
        pytest.param(
            "N = flags.DEFINE_integer('n', 3, 'sizes')\nflags.set_default(N, 4)\n"
            "x = jnp.ones(N.value)\ny = jnp.ones(flags.FLAGS.n)\n",
            {"x": "float32[4] by default", "y": "float32[4] by default"},
            id="absl, a default that is set later",
        ),
        pytest.param(
            f"{PARSER}parser.add_argument('n', nargs='*', type=int)\nparser.add_argument('m', nargs='?', type=int, default=3)\n"
            "args = parser.parse_args()\nx = jnp.ones((len(args.n), args.m))\n",
            {"x": "float32[?, 3] by default"},
            id="arguments that may be left out",
        ),
        pytest.param(
            "@dataclasses.dataclass\nclass Model:\n    dim: int = 4\n\n"
            "@dataclasses.dataclass\nclass Options:\n    m: int\n    n: int = 3\n"
            "    model: Model = dataclasses.field(default_factory=Model)\n\n"
            "options = tyro.cli(Options)\nx = jnp.ones((options.m, options.n, options.model.dim))\n",
            {"x": "float32[?, 3, 4] by default"},
            id="tyro",
        ),
        pytest.param(
            "import pyrallis\n@dataclasses.dataclass\nclass Options:\n    n: int = 3\n\n"
            "@pyrallis.wrap()\ndef main(options: Options):\n    x = jnp.ones(options.n)\nmain()\n",
            {"x": "float32[3] by default"},
            id="pyrallis.wrap",
        ),
        pytest.param(
            "import fire\ndef main(k, n: int = 3, shape=(2, 4), flag=False):\n"
            "    x = jnp.ones((n, 2))\n    y = jnp.ones(shape)\n    z = jnp.asarray(flag)\nfire.Fire(main)\n",
            {"x": "float32[3, 2] by default", "y": "float32[2, 4] by default", "z": "bool[]"},
            id="fire",
        ),
        pytest.param(
            "import fire\ndef train(n=3):\n    x = jnp.ones((n, 2))\nfire.Fire({'train': train})\n",
            {"x": "float32[3, 2] by default"},
            id="fire, by names",
        ),
        pytest.param(
            "import typer\ndef main(k: int, n: int = typer.Option(3, help='n'), m: int = typer.Option(...)):\n"
            "    x = jnp.ones((n, 2))\n    y = jnp.ones((m, 2))\ntyper.run(main)\n",
            {"x": "float32[3, 2] by default", "y": "float32[?, 2]"},
            id="typer",
        ),
        pytest.param(
            "import click\n@click.command()\n@click.argument('k', type=int)\n@click.option('-n', '--n-rows', default=3, help='n')\n"
            "@click.option('--fast', is_flag=True)\n@click.option('--m', type=int, required=True)\n"
            "def main(k, n_rows, fast, m):\n    x = jnp.ones((n_rows, 2))\n    y = jnp.ones((k, m, 3))\n"
            "    z = jnp.asarray(fast)\nmain()\n",
            {"x": "float32[3, 2] by default", "y": "float32[?, ?, 3]", "z": "bool[]"},
            id="click",
        ),
        *(
            pytest.param(
                f"import {library}\n@dataclasses.dataclass\nclass Options:\n    n: int = 3\n\n"
                f"x = jnp.ones({library}.{call}.n)\n",
                {"x": shown},
                id=f"{library}.{call}",
            )
            for library, call, shown in (
                ("pyrallis", "parse(config_class=Options)", "float32[3] by default"),
                ("simple_parsing", "parse(Options)", "float32[3] by default"),
                # What is not in the source may be anything.
                ("pyrallis", "parse(Options, config_path='a.yaml')", "float32[?]"),
                ("tyro", "cli(Options, default=Options(4))", "float32[?]"),
                ("tyro", "cli(Options, description='')", "float32[3] by default"),
            )
        ),
    ],
)
def test_places(tmp_path: Path, text: str, known: dict[str, str]) -> None:
    report = evaluated(tmp_path, text)
    assert {place.name: value(place) for place in report.places if place.name in known} == known
    assert not report.refusals
    # What other clients take as certain is so in all runs.
    certain = {fact.place.name: fact.place.value for fact in report.facts if fact.is_array}
    assert all(
        certain[name] != text.removesuffix(" by default") for name, text in known.items() if "by" in text
    )


def test_a_default_is_no_reason_for_an_error(tmp_path: Path) -> None:
    text = (
        f"{PARSER}parser.add_argument('--n', type=int, default=3)\nargs = parser.parse_args()\n"
        "x = jnp.ones((2, args.n)) @ jnp.ones((4, 5))\ny = jnp.ones(3) @ jnp.ones(4)\n"
    )
    assert [refusal.line for refusal in evaluated(tmp_path, text).refusals] == [10]


def test_json(tmp_path: Path) -> None:
    text = (
        f"{PARSER}parser.add_argument('--n', type=int, default=3)\nx = jnp.ones((parser.parse_args().n, 2))\n"
    )
    (place,) = evaluated(tmp_path, text).places
    assert place.as_json()["shape"] == [None, 2]
    assert place.as_json()["by_default"] == {"dtype": "float32", "weak": False, "shape": [3, 2]}


def test_a_second_evaluation_is_made_for_those_who_show_it(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(
        f"{HEAD}{PARSER}parser.add_argument('--n', type=int, default=3)\nx = jnp.ones(parser.parse_args().n)\n"
    )
    reports = [
        evaluate_programs([*collect([file], ())], Settings(), cached=False, with_defaults=wanted)
        for wanted in (False, True)
    ]
    assert [(report.has_defaults, bool(report.by_default)) for report in reports] == [
        (True, False),
        (True, True),
    ]
    assert reports[0].facts == reports[1].facts


def test_a_page_shows_what_is_known_by_default_alone(tmp_path: Path) -> None:
    text = (
        f"{PARSER}parser.add_argument('--dtype', default='int8')\nparser.add_argument('--n', type=int, default=3)\n"
        "args = parser.parse_args()\nx = jnp.zeros((args.n,) * args.n, args.dtype)\n"
    )
    report = evaluated(tmp_path, text)
    (place,) = report.places
    assert place.is_open and value(place) == "int8[3, 3, 3] by default"
    shown = page(listings({place.file: HEAD + text}, report), [])
    assert 'title="x: int8[3, 3, 3] by default' in shown and "] by default</span>" in shown

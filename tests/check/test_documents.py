"""``jaxtyping-core check --output-format sarif`` and ``gitlab``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from check_command import CLEAN, Check, write
from jaxtyping_core import pages
from jaxtyping_core.checking.documents import gitlab, sarif
from jaxtyping_core.checking.formats import Diagnostic
from jaxtyping_core.evaluation.protocol import OWN_CODES

pytestmark = pytest.mark.one_python  # forms of messages are no matter of Python or JAX

MISTAKE = "import jax.numpy as jnp\n\nx = jnp.ones((3, 4))\nx + jnp.ones((3, 5))\nx & 1\n"
LEVELS = ("none", "note", "warning", "error")
#: What the schema of the format requires, as far as we write it: the type of each value, `...` for optional keys.
SCHEMA = {
    "version": str,
    "$schema": str,
    "runs": [
        {
            "tool": {
                "driver": {
                    "name": str,
                    "version": str,
                    "informationUri": str,
                    "rules": [{"id": str, "helpUri": str, "shortDescription?": {"text": str}}],
                }
            },
            "columnKind": str,
            "results": [
                {
                    "ruleId?": str,
                    "ruleIndex?": int,
                    "level": str,
                    "message": {"text": str},
                    "locations": [
                        {
                            "physicalLocation": {
                                "artifactLocation": {"uri": str, "uriBaseId?": str},
                                "region?": {
                                    "startLine": int,
                                    "startColumn?": int,
                                    "endLine?": int,
                                    "endColumn?": int,
                                },
                            }
                        }
                    ],
                    "relatedLocations?": [
                        {
                            "physicalLocation": {
                                "artifactLocation": {"uri": str, "uriBaseId?": str},
                                "region": {"startLine": int},
                            },
                            "message": {"text": str},
                        }
                    ],
                    "partialFingerprints": {"jaxtypingCore/v1": str},
                }
            ],
        }
    ],
}
KEYS = {"description": str, "check_name": str, "fingerprint": str, "severity": str}
GITLAB = [{**KEYS, "location": {"path": str, "lines": {"begin": int, "end": int}}}]


def assert_fits(value: Any, form: Any, place: str = "") -> None:
    """A value has the keys and types of a form, and no others."""
    if isinstance(form, type):
        assert type(value) is form, place
    elif isinstance(form, list):
        assert isinstance(value, list), place
        for number, item in enumerate(value):
            assert_fits(item, form[0], f"{place}[{number}]")
    else:
        required = {key for key in form if not key.endswith("?")}
        optional = {key.removesuffix("?") for key in form} - required
        assert required <= value.keys() <= required | optional, place
        for key, item in value.items():
            assert_fits(item, form[key if key in required else f"{key}?"], f"{place}.{key}")


def results(text: str) -> list[dict[str, Any]]:
    """The results of a log, which is valid."""
    log = json.loads(text)
    assert_fits(log, SCHEMA)
    assert log["version"] == "2.1.0" and log["$schema"].startswith("https://")
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for result in run["results"]:
        assert result["level"] in LEVELS
        assert "ruleId" not in result or rules[result["ruleIndex"]]["id"] == result["ruleId"]
        (location,) = result["locations"]
        region = location["physicalLocation"].get("region", {})
        assert all(number >= 1 for number in region.values())
    listed: list[dict[str, Any]] = run["results"]
    return listed


def diagnostic(**changes: Any) -> Diagnostic:
    known = Diagnostic("a.py", 1, 1, 1, 3, "error", "array-shape", "m", None)
    return known._replace(**changes)


def region(result: dict[str, Any]) -> dict[str, int]:
    place: dict[str, int] = result["locations"][0]["physicalLocation"]["region"]
    return place


def test_sarif(check: Check, tmp_path: Path) -> None:
    write(tmp_path, mistake=MISTAKE, broken="import jax\nx = (\n")
    done = check(tmp_path, "--output-format", "sarif")
    assert (done.returncode, done.stderr) == (2, "")
    broken, shape, dtype = results(done.stdout)
    assert [each["ruleId"] for each in (broken, shape, dtype)] == ["syntax", "array-shape", "array-dtype"]
    assert region(shape) == {"startLine": 4, "startColumn": 1, "endLine": 4, "endColumn": 21}
    assert shape["locations"][0]["physicalLocation"]["artifactLocation"] == {
        "uri": "mistake.py",
        "uriBaseId": "%SRCROOT%",
    }
    assert "assigned at mistake.py:3" in shape["message"]["text"]
    (related,) = shape["relatedLocations"]
    assert related["message"]["text"].endswith("is assigned here")
    assert related["physicalLocation"]["region"] == {"startLine": 3}


def test_a_log_without_findings(check: Check, tmp_path: Path) -> None:
    write(tmp_path, clean=CLEAN)
    done = check(tmp_path, "--output-format", "sarif")
    assert (done.returncode, results(done.stdout)) == (0, [])
    assert json.loads(check(tmp_path, "--output-format", "gitlab").stdout) == []


def test_rules_lead_to_their_pages() -> None:
    codes = [*sorted(OWN_CODES), "call-arg", "syntax", "return-value"]
    log = json.loads(sarif([diagnostic(code=code) for code in codes]))
    for rule in log["runs"][0]["tool"]["driver"]["rules"]:
        if rule["id"] in OWN_CODES:
            assert rule["helpUri"] == pages.page(f"reference/codes/{rule['id']}")
            assert rule["shortDescription"]["text"].endswith(".")
        elif rule["id"] == "return-value":
            assert rule["helpUri"].endswith("#code-return-value")
        else:
            assert rule["helpUri"] == pages.page("reference/codes")


def test_severities() -> None:
    each = [diagnostic(severity=severity) for severity in ("error", "warning", "info", "note")]
    assert [result["level"] for result in results(sarif(each))] == ["error", "warning", "note", "note"]
    assert [entry["severity"] for entry in json.loads(gitlab(each))] == ["major", "minor", "info", "info"]


def test_what_is_unknown_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    nothing = dict.fromkeys(("line", "column", "end_line", "end_column", "code"))
    (result,) = results(sarif([diagnostic(**nothing, file="a b.py")]))
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "a%20b.py", "uriBaseId": "%SRCROOT%"}
    }
    assert json.loads(gitlab([diagnostic(**nothing)]))[0]["location"]["lines"] == {"begin": 1, "end": 1}


def test_columns_count_characters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text("é = '日'; x @ y\n", encoding="utf-8")
    column = len("é = '日'; ".encode()) + 1
    (result,) = results(sarif([diagnostic(column=column, end_column=column + 4)]))
    assert region(result) == {"startLine": 1, "startColumn": 10, "endLine": 1, "endColumn": 15}


def test_paths_start_at_the_root_of_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "src").mkdir()
    monkeypatch.chdir(tmp_path / "src")
    for variable in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.setenv(variable, str(tmp_path))
        (result,) = results(sarif([diagnostic()]))
        assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "src/a.py"
        assert json.loads(gitlab([diagnostic()]))[0]["location"]["path"] == "src/a.py"
        monkeypatch.delenv(variable)
    (result,) = results(sarif([diagnostic(file="/elsewhere/a.py")]))
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "file:///elsewhere/a.py"}


@pytest.mark.parametrize("form", ["gitlab", "sarif"])
def test_fingerprints_are_those_of_lines(check: Check, tmp_path: Path, form: str) -> None:
    def fingerprints(text: str) -> list[str]:
        write(tmp_path, mistake=text)
        told = check(tmp_path, "--output-format", form).stdout
        if form == "gitlab":
            assert_fits(json.loads(told), GITLAB)
            return [entry["fingerprint"] for entry in json.loads(told)]
        return [result["partialFingerprints"]["jaxtypingCore/v1"] for result in results(told)]

    before = fingerprints(MISTAKE)
    assert len(set(before)) == 2
    moved = MISTAKE.replace("x + ", "# a comment\nif True:\n    x  + ").replace("\nx &", "\n\nx &")
    moved = moved.replace("  + ", " + ")
    assert fingerprints(moved) == before
    shape, dtype = before
    repeated = fingerprints(f"{MISTAKE}x & 1\n")
    assert repeated[:2] == [shape, dtype] and len(set(repeated)) == 3
    assert fingerprints(MISTAKE.replace("3, 5", "3, 6"))[0] != shape


@pytest.mark.parametrize("form", ["gitlab", "sarif"])
def test_one_document_with_mypy(check_with_mypy: Check, tmp_path: Path, form: str) -> None:
    write(tmp_path, mistake=f"{MISTAKE}y: int = ''\nreveal_type(x)\n")
    done = check_with_mypy(tmp_path, "mistake.py", "--output-format", form, cache="formats")
    assert done.returncode == 1
    if form == "sarif":
        assert {result["level"] for result in results(done.stdout)} == {"error", "note"}
    else:
        assert {entry["severity"] for entry in json.loads(done.stdout)} == {"major", "info"}
    write(tmp_path, broken="x = (\n")
    done = check_with_mypy(tmp_path, "broken.py", "--output-format", form, cache="formats")
    assert done.returncode == 2 and len(json.loads(done.stdout)) > 0

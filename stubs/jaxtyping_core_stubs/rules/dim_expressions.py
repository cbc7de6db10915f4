"""Claims as type expressions: the dtypes that the arrays of an overload must have, so that the result's can be told."""

from __future__ import annotations

from .. import tables
from . import claims, named
from .claims import Claim
from .function_rules import Study

#: The type variables for dtypes: of the first array, of what lies between, of the result.
OPERAND, BETWEEN = "_O", ("_D", "_TD")
RESULT = "_R"
UNKNOWN = "Unk"


def plain(study: Study) -> Study:
    """The study with claims that hold for all dtypes: what one says of some alone is open for the others, or all open."""
    return study._replace(claims=tuple(map(without_exceptions, study.claims)))


def without_exceptions(claim: Claim) -> Claim:
    """A claim that holds for all dtypes."""
    if claim.strong:
        return _open_for(claim, claims.ODD) if len(claim.arguments) == 1 else claims.UNKNOWN
    if claim.exception:
        return _with_exception(claim) if claim.table == "join" else claims.UNKNOWN
    return claim


def _open_for(claim: Claim, odd: tuple[str, ...]) -> Claim:
    """A claim about one array that leaves open what some dtypes give."""
    said = {node: claims.predict(claim, (node,) * (claim.arguments[0] + 1)) for node in tables.nodes()}
    results = (
        (node, claims.OPEN if node in odd else pair) for node, pair in said.items() if pair is not None
    )
    return Claim("table", "", claim.arguments, results=tuple(results))


def _with_exception(claim: Claim) -> Claim:
    """A join of which that of two bools is something else: no other dtypes join to bool."""
    bools = next((pair for pair, name in tables.DEFAULTS.items() if name == claim.exception), None)
    own = {node: (node, node) for node in tables.nodes()}
    own["bool"] = bools or (claim.exception, claim.exception)
    return Claim("table", "", claim.arguments, results=tuple(own.items()))


def needed(known: tuple[Claim, ...], count: int) -> list[str]:
    """The dtypes of the arrays in a row, so that the result's can be told from them."""
    dtypes = ["Any"] * count
    main = leading(known)
    if main is not None:
        match main.kind:
            case "same":
                dtypes[main.arguments[0]] = RESULT
            case "table" | "binary":
                fold(dtypes, main)
    return dtypes


def fold(dtypes: list[str], main: Claim) -> None:
    """Each array but the first by the table of its dtype and that of all before it together."""
    folded(dtypes, main.arguments, main.table or "join", put_through(main))


def folded(dtypes: list[str], arguments: tuple[int, ...], table: str, result: str) -> None:
    """The arrays `arguments` joined, the last by a table, so that `result` is what comes out."""
    before = [OPERAND, *BETWEEN]
    first, *others = arguments
    dtypes[first] = OPERAND if others else result
    for index, argument in enumerate(others):
        last = index == len(others) - 1
        used, after = (table, result) if last else ("join", before[index + 1])
        dtypes[argument] = f"_{used.capitalize()}[{before[index]}, {after}]"


def put_through(claim: Claim) -> str:
    """The dtype of the result, or a dtype that has it in the table of the claim."""
    return f"_Has_{named.name(claim.results)}[{RESULT}]" if claim.results else RESULT


def leading(known: tuple[Claim, ...]) -> Claim | None:
    """The claim that the dtypes of the arrays in a row are for: one about arguments, if there is one."""
    return next((claim for claim in known if claim.speaks), None)


def result_dtypes(known: tuple[Claim, ...]) -> list[str]:
    """The dtypes of the arrays in the result."""
    main = leading(known)
    return [
        tables.class_name(claim.table)
        if claim.kind == "constant"
        else RESULT
        if _alike(claim, main)
        else UNKNOWN
        for claim in known
    ]


def _alike(claim: Claim, main: Claim | None) -> bool:
    return main is not None and claim._replace(strong=main.strong) == main

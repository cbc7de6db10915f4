"""The names that people read in hovers and messages: those of the stubs' own vocabulary, without its underscore.

The generator writes ``_Has_sum`` and ``_R``, which no name of JAX is called. Checkers print a class, a type variable or an
alias by the name of its definition, so that the definitions have other names, in modules that nobody imports. Where a
module has something else of that name, it imports the definition as what the generator calls it.
"""

from __future__ import annotations

import functools
import re

from . import exports, scalars, spelling

#: The modules of the stubs that define the vocabulary.
MODULES = (
    "jax._src.basearray",
    scalars.MODULE,
    exports.MODULE,
    spelling.COMPILED,
    "jax._scalars",
    "jax._arrays",
    "jax._python",
)
#: Names that stay: one of JAX, and one that pyright must take for private (`shown`).
KEPT = frozenset({"_ScalarMeta", "_DTypeClass"})

#: The protocols of tables of two dtypes.
_TABLES: dict[str, str] = {
    "Join": "SupportsPromotion",
    "Divide": "SupportsDivision",
    "Power": "SupportsPower",
    "Bitwise": "SupportsBitwise",
}
#: The protocols of tables of one dtype, where they are not named after the function.
_OF_ONE: dict[str, str] = {
    "asked": "StoredAs",
    "strong": "SupportsMax",
    "inexact_real_inexact": "SupportsInexactAndReal",
}
#: All other names that are not as the generator's.
_WORDS: dict[str, str] = {
    "_AsDType": "AsDType",
    "_Base": "BaseArray",
    "_D": "E",
    "_Dict": "PlainDict",
    "_Exact": "ExactArray",
    "_HasDType": "SupportsDTypeObject",
    "_Item": "ArrayItem",
    "_Members": "ArrayMembers",
    "_MethodOfTree": "MethodTakesTree",
    "_Mixed": "MixedArray",
    "_NoShape": "UnknownShape",
    "_NumPyArray": "SupportsArrayInterface",
    "_O": "D",
    "_OfNumbers": "TakesNumbers",
    "_OfTree": "TakesTree",
    "_Open": "OpenJitted",
    "_OpenMethod": "OpenJittedMethod",
    "_P": "Params",
    "_Rd": "Result",
    "_Result": "ResultOrDeferred",
    "_ScalarLeft": "RightOfScalar",
    "_Sd": "ResultShape",
    "_Sen": "OnlyUnknown",
    "_Sh": "Compared",
    "_Sh2": "Returned",
    "_ShCo": "Shape_co",
    "_ShContra": "Shape_contra",
    "_T": "U",  # an array has the attribute `T`
    "_TD": "F",
    "_Tree": "AnyTree",
    "_Undeclared": "TakesUndeclared",
    "_UndeclaredMethod": "MethodTakesUndeclared",
    "_Unknown": "OnlyUnknown",
    "_UnknownLeft": "RightOfUnknown",
    "_Weak": "SupportsScalars",
}

#: What JAX declares by a name that begins with an underscore: it is there by that name, too.
OF_JAX: dict[str, tuple[str, ...]] = {"jax._src.basearray": ("_IndexUpdateHelper", "_IndexUpdateRef")}

_OWN = r"_[A-Z]\w*"
_DEFINITION = re.compile(rf"^ *(?:class ({_OWN})[(\[:]|({_OWN})(?:: TypeAlias)? = )", re.MULTILINE)
_IMPORT = re.compile(rf"^( *from (?:{'|'.join(map(re.escape, MODULES))}) import )(.+)$", re.MULTILINE)
_IMPORTED = re.compile(rf"({_OWN})(?: as (\w+))?")
_PROSE = re.compile(r'""".*?"""|#[^\n]*', re.DOTALL)
_IDENTIFIER = re.compile(r"[^\W\d]\w*")


@functools.cache
def word(name: str) -> str:
    """The name that people read of a definition that the generator calls `name`."""
    if name in KEPT:
        return name
    head, _, rest = name.removeprefix("_").partition("_")
    if head == "Has":
        words = rest.replace("with_number", "scalar")
        return _OF_ONE.get(rest, f"Supports{_camel(words)}")
    if head in _TABLES:
        return f"{_TABLES[head]}{f'With{_camel(rest)}' if rest else ''}"
    known = _WORDS.get(name)
    return known or (
        name[1:] if rest in ("", "co", "contra") else _camel(name[1:].replace("PyFloat", "Float"))
    )


def _camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def worded(module: str, text: str) -> str:
    """The text of the stub of a module, with the names that people read."""
    used = set(_IDENTIFIER.findall(_PROSE.sub("", text)))
    renamed: dict[str, str] = {}
    if module in MODULES:
        renamed = {
            name: word(name)
            for pair in _DEFINITION.findall(text)
            for name in pair
            if name and name not in KEPT
        }
        words = [*renamed.values(), *used]
        twice = sorted(new for new in renamed.values() if words.count(new) > 1)
        assert not twice, f"{module} has two things of these names: {', '.join(twice)}"

    def imported(part: str) -> str:
        own = _IMPORTED.fullmatch(part)
        if own is None or own[1] in KEPT:
            return part
        name, alias = own.groups()
        if alias or word(name) in used:
            return f"{word(name)} as {alias or name}"
        renamed[name] = word(name)
        return part

    text = _IMPORT.sub(lambda match: match[1] + ", ".join(map(imported, match[2].split(", "))), text)
    for alias in ("_basearray", "_scalar_types"):
        text = re.sub(
            rf"\b{alias}\.({_OWN})", lambda match: f"{match[0].partition('.')[0]}.{word(match[1])}", text
        )
    if not renamed:
        return text
    names = re.compile(rf"(?<![\w.])(?:{'|'.join(renamed)})(?!\w)")
    names_of_jax = (f"{name} = {word(name)}\n" for name in OF_JAX.get(module, ()))
    return names.sub(lambda match: renamed[match[0]], text) + "".join(names_of_jax)

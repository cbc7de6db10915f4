"""Names for the sizes of a module's functions: short, those of the source where it has some, the same for the same size."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from jaxtyping_core.annotating.walking import Slot

#: What is written for a size that the source gives one of these names: the letter of custom, then a word.
CUSTOM: dict[str, tuple[str, str]] = {
    name: (letter, word)
    for letter, word, names in (
        ("B", "Batch", "b batch batch_size bs bsz batchsize n_batch nb"),
        ("T", "Time", "t time seq seq_len seqlen sequence_length length n_steps steps num_steps timesteps l"),
        (
            "D",
            "Dim",
            "d dim d_model model_dim features n_features num_features embed_dim emb_dim width dims ndim",
        ),
        ("H", "Hidden", "hidden hidden_size hidden_dim n_hidden num_hidden units hid"),
        ("V", "Vocab", "vocab vocab_size v n_vocab num_tokens n_tokens"),
        ("C", "Classes", "classes n_classes num_classes c n_class labels"),
        (
            "N",
            "Num",
            "n num count size n_samples num_samples n_points num_points samples n_data num_particles",
        ),
        ("K", "Clusters", "k n_clusters num_clusters n_components num_components components"),
        ("In", "Inputs", "i n_in in_dim in_features in_size input_dim input_size fan_in din d_in nin"),
        (
            "Out",
            "Outputs",
            "o n_out out_dim out_features out_size output_dim output_size fan_out dout d_out nout",
        ),
        ("M", "Rows", "m rows n_rows"),
    )
    for name in names.split()
}
#: Letters for sizes without a name in the source, by the axis that they stand on.
LEADING, MIDDLE, LAST, ONLY = "BNM", "TSL", "DHKF", "NMD"
MORE = "PQRUXYZ"
#: Letters that linters report as names, for they look like numbers.
AMBIGUOUS = "ilo"
#: What parameters are called whose first axis is no batch.
WEIGHTS = re.compile(
    r"(^|_)(w|weights?|kernels?|embeddings?|table|matrix|transition|emission|cov|basis)(\d*$|_)"
)
AFFIXES = re.compile(r"^(n|num|number_of)_|_(size|dim|len|length|count)$")


@dataclass(slots=True)
class Group:
    """A size of a function to name: what the source calls it, what was seen of it, where it stands.

    `declared` are the names that annotations have for it that are there already. `axes` are those of the arrays that it is a size of, each with the rank.
    """

    hints: Sequence[str]
    seen: frozenset[int]
    axes: Sequence[tuple[Slot, int]] = ()
    declared: Sequence[str] = ()

    @property
    def places(self) -> list[Hashable]:
        """What tells the same size in other functions: parameters of one name."""
        return [(place, axis, rank, self.seen) for (place, axis), rank in self.axes]


@dataclass(slots=True)
class Names:
    """The names of a module's sizes.

    Attributes:
        taken: names that mean something else in the module.
        is_text: whether names are words in a text, as in jaxtyping's annotations, and not type variables.
    """

    taken: Collection[str]
    is_text: bool = False
    #: How often a name was given to a size, by what tells it in other functions.
    uses: dict[Hashable, Counter[str]] = field(default_factory=dict)
    _reserved: set[str] = field(default_factory=set)

    def learn(self, groups: Iterable[Group]) -> None:
        """Learn the names of a function's sizes from the source before any is given."""
        for group in groups:
            for hint in group.hints[:1]:
                # A constant is of this size here; in another function the same number may be another thing.
                is_word = len(hint) > 1 and not hint.isupper()
                keys = [*group.places, *([group.seen] if is_word else [])]
                self._give(keys, next(iter(self._written(hint)), ""))

    def of(self, groups: Mapping[int, Group], reserved: Collection[str] = ()) -> dict[int, str]:
        """The names of the sizes of a function; none that is declared for another one, which `reserved` has."""
        declared: dict[int, str] = {}
        for of, group in sorted(groups.items(), key=lambda item: len(item[1].declared)):
            free = (name for name in group.declared if name not in declared.values())
            if (name := next(free, None)) is not None:
                declared[of] = name
                self._give(group.places, name.upper() if self.is_text else name)
        names = {of: declared[of] for of in groups if of in declared}
        self._reserved = {name.lower() for name in reserved} if self.is_text else set(reserved)
        for of, group in groups.items():
            options = [written for hint in group.hints for written in self._written(hint)]
            if of not in names and (name := self._first(options, names)) is not None:
                names[of] = name
        for of, group in groups.items():
            if of in names:
                continue
            known = self._known(group.places) or self._known([group.seen])
            name = self._first([*known, *self._letters(group)], names)
            names[of] = name or next(n for i in range(1, 999) if self._first([n := f"D{i}"], names))
            self._give(group.places, names[of])
        return {of: names[of].lower() if self.is_text and of not in declared else names[of] for of in groups}

    def _give(self, keys: Iterable[Hashable], name: str) -> None:
        for key in keys:
            self.uses.setdefault(key, Counter())[name] += 1

    def _known(self, keys: Iterable[Hashable]) -> list[str]:
        """The names that were given to a size, the most frequent first."""
        names = Counter[str]()
        for key in keys:
            names += self.uses.get(key, Counter())
        return [name for name, _ in names.most_common()]

    def _first(self, options: Iterable[str], used: Mapping[int, str]) -> str | None:
        """The first of `options` that is free."""
        taken = {name.lower() for name in used.values()} if self.is_text else {*used.values(), *self.taken}
        same = str.lower if self.is_text else str
        return next((name for name in options if same(name) not in taken | self._reserved), None)

    def _written(self, hint: str) -> list[str]:
        """What may be written for what the source calls a size."""
        plain = hint.strip("_").lower()
        if self.is_text:
            return [plain]
        if len(plain) == 1 and plain not in AMBIGUOUS:
            return [plain.upper()]
        short = AFFIXES.sub("", plain) or plain
        word = "".join(part.capitalize() for part in short.split("_") if part)
        custom = CUSTOM.get(plain) or CUSTOM.get(short)
        if custom is None:
            return [word, f"{word}Dim"]
        letter, own = custom
        return [letter, word if letter == "N" and len(word) > 1 else own]

    def _letters(self, group: Group) -> list[str]:
        """Letters that suit where a size stands."""
        wanted = Counter[str]()
        direct = [row for row in group.axes if len(row[0][0]) == 1] or group.axes
        for (_, axis), rank in direct:
            wanted[ONLY if rank == 1 else LEADING if axis == 0 else LAST if axis == rank - 1 else MIDDLE] += 1
        ordered = sorted(wanted, key=lambda letters: (letters == ONLY, -wanted[letters]))
        if not _may_be_batch(direct):
            ordered = [*(letters for letters in ordered if letters != LEADING), ONLY]
        letters = [letter for each in (*ordered, LAST, MIDDLE, MORE) for letter in each]
        return list(dict.fromkeys(letters))


def _may_be_batch(axes: Sequence[tuple[Slot, int]]) -> bool:
    """Whether a size that leads arrays is anything like a batch: it is no last axis as well, nor one of weights alone."""
    first = {place for (place, axis), rank in axes if axis == 0 and rank > 1}
    last = {place for (place, axis), rank in axes if axis == rank - 1 and rank > 1}
    return not last and not (first and all(WEIGHTS.search(str(place[0])) for place in first))

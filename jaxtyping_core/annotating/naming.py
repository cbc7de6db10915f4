"""Names for the sizes of a module's functions: short, those of the source where it has some, the same for the same size."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from jaxtyping_core.annotating.agreement import Place
from jaxtyping_core.annotating.walking import Slot

#: What is written for a size that the source gives one of these names: the letter of custom, then a word.
CUSTOM: dict[str, tuple[str, str]] = {
    name: (letter, word)
    for letter, word, names in (
        ("B", "Batch", "b batch batch_size bs bsz batchsize n_batch nb"),
        ("T", "Time", "t time seq seq_len seqlen sequence_length length n_steps steps num_steps timesteps l"),
        ("D", "Dim", "d dim d_model model_dim features n_features num_features embed_dim emb_dim width dims ndim"),
        ("H", "Hidden", "hidden hidden_size hidden_dim n_hidden num_hidden units hid"),
        ("V", "Vocab", "vocab vocab_size v n_vocab num_tokens n_tokens"),
        ("C", "Classes", "classes n_classes num_classes c n_class labels"),
        ("N", "Num", "n num count size n_samples num_samples n_points num_points samples n_data num_particles"),
        ("K", "Clusters", "k n_clusters num_clusters n_components num_components components"),
        ("I", "In", "n_in in_dim in_features in_size input_dim input_size fan_in din d_in nin"),
        ("O", "Out", "n_out out_dim out_features out_size output_dim output_size fan_out dout d_out nout"),
        ("M", "Rows", "m rows n_rows"),
    )
    for name in names.split()
}
#: Letters for sizes without a name in the source, by the axis that they stand on.
LEADING, MIDDLE, LAST, ONLY = "BNM", "TSL", "DHKF", "NMD"
MORE = "PQRUXYZ"
AFFIXES = re.compile(r"^(n|num|number_of)_|_(size|dim|len|length|count)$")


@dataclass(slots=True)
class Group:
    """A size of a function to name: what the source calls it, what was seen of it, where it stands.

    `ranks` are the axes of the arrays that it is a size of, each with the rank.
    """

    hints: Sequence[str]
    seen: frozenset[int]
    axes: Sequence[tuple[Slot, int]] = ()


@dataclass(slots=True)
class Names:
    """The names of a module's sizes.

    Attributes:
        taken: names that mean something else in the module.
        is_text: whether names are words in a text, as in jaxtyping's annotations, and not type variables.
    """

    taken: Collection[str]
    is_text: bool = False
    #: How often a name was given to a size that was seen to be these.
    given: dict[frozenset[int], Counter[str]] = field(default_factory=dict)
    #: What sizes a name without a source was first given to.
    owners: dict[str, frozenset[int]] = field(default_factory=dict)

    def learn(self, groups: Iterable[Group]) -> None:
        """Learn the names of a function's sizes from the source before any is given."""
        for group in groups:
            for hint in group.hints[:1]:
                self.given.setdefault(group.seen, Counter())[self._written(hint)[0]] += 1

    def of(self, groups: Mapping[int, Group]) -> dict[int, str]:
        """The names of the sizes of a function."""
        names: dict[int, str] = {}
        for of, group in groups.items():
            if group.hints:
                options = [written for hint in group.hints for written in self._written(hint)]
                if (name := self._first(options, names)) is not None:
                    names[of] = name
        for of, group in groups.items():
            if of in names:
                continue
            known = [name for name, _ in self.given.get(group.seen, Counter()).most_common()]
            name = self._first(known, names) or self._first(self._letters(group), names, group.seen)
            if name is None:
                name = next(n for i in range(1, 99) if (n := f"D{i}") not in {*names.values(), *self.taken})
            names[of] = name
            self.owners.setdefault(name, group.seen)
            self.given.setdefault(group.seen, Counter())[name] += 1
        return {of: name.lower() if self.is_text else name for of, name in names.items()}

    def _first(
        self, options: Iterable[str], used: Mapping[int, str], seen: frozenset[int] | None = None
    ) -> str | None:
        """The first of `options` that is free in the function; with `seen`, and belongs to no other size of the module."""
        free = [name for name in options if name not in used.values() and (self.is_text or name not in self.taken)]
        if seen is not None:
            own = [name for name in free if self.owners.get(name, seen) == seen and not self._is_given(name, seen)]
            return (own or free or [None])[0]
        return free[0] if free else None

    def _is_given(self, name: str, seen: frozenset[int]) -> bool:
        return any(name in names for sizes, names in self.given.items() if sizes != seen)

    def _written(self, hint: str) -> list[str]:
        """What may be written for what the source calls a size."""
        plain = hint.strip("_").lower()
        if self.is_text:
            return [plain]
        if plain in CUSTOM:
            return list(CUSTOM[plain])
        if len(plain) == 1:
            return [plain.upper(), f"{plain.upper()}Dim"]
        short = AFFIXES.sub("", plain) or plain
        if short in CUSTOM:
            return list(CUSTOM[short])
        word = "".join(part.capitalize() for part in short.split("_") if part)
        return [word, f"{word}Dim"]

    def _letters(self, group: Group) -> list[str]:
        """Letters that suit where a size stands."""
        wanted = Counter[str]()
        for (_, axis), rank in group.axes:
            wanted[ONLY if rank == 1 else LEADING if axis == 0 else LAST if axis == rank - 1 else MIDDLE] += 1
        ordered = sorted(wanted, key=lambda letters: (letters == ONLY, -wanted[letters]))
        letters = [letter for each in (*ordered, LAST, MIDDLE, MORE) for letter in each]
        return list(dict.fromkeys(letters))


def is_nested(place: Place) -> bool:
    """Whether a place is in a container."""
    return len(place) > 1

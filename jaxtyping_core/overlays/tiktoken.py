"""tiktoken: an encoding makes ints of a text, and a text of ints. Nothing of it is called. See https://github.com/openai/tiktoken."""

from __future__ import annotations

from typing import Any

from . import Object, Overlay, in_place_of, many, number


def _encoding(*_: Any, **__: Any) -> Object:
    def encode(*_: Any, **__: Any) -> Any:
        return many(number(int), some=True)  # an empty text gives nothing that a program goes on with

    def encode_batch(*_: Any, **__: Any) -> Any:
        return many(many(number(int), some=True))

    return Object(
        encode=encode,
        encode_ordinary=encode,
        encode_batch=encode_batch,
        encode_ordinary_batch=encode_batch,
        decode=lambda *_, **__: number(str),
        n_vocab=number(int),
        max_token_value=number(int),
        eot_token=number(int),
    )


OVERLAY = Overlay(
    library="tiktoken",
    is_onlooker=True,
    may_fail=True,
    instead=in_place_of({"tiktoken.get_encoding": _encoding, "tiktoken.encoding_for_model": _encoding}),
)

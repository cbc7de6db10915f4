"""What tells objects apart that are alive."""

#: As `id` does; but `id` raises an audit event, for which each audit hook runs: that of the wall, and one of `filelock`'s,
#: which JAX imports.
identity = object.__hash__

"""Programs annotated with jaxtyping, each with a mistake that its annotations show."""

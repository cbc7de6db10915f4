"""What a run of a program showed of its functions: `observed` says what is kept of an object."""

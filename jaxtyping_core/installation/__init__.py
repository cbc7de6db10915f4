"""How the stubs reach the type checkers: writing them into a project, and finding out who sees them."""

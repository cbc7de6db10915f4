"""What is known of libraries: one module, or one folder, for each, under its name. `engine.libraries.overlay` says what it may tell."""

"""Programs are recorded: what is said of them is what they did, and they do what they do without it."""

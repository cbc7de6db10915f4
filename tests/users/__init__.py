"""Programs in the styles of real users, held against what they compute."""

"""What of libraries is called for real, with which values, and what is hidden from programs."""

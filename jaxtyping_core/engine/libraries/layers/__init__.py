"""Layers of libraries of neural networks, and the arrays that they are tried with."""

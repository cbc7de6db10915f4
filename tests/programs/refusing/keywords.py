"""Calls that a function of the program, or of JAX, has no parameters for."""

import functools

import jax
import jax.numpy as jnp


def wrong_name_through_both():
    def fall(height, speed):
        return height - speed  # or

    return jax.jit(jax.vmap(fall))(jnp.ones(3), jnp.ones(3), drag=jnp.ones(3))  # error


def right_name_through_both():
    def fall(height, speed, drag):
        return height - speed * drag

    return jax.jit(jax.vmap(fall))(jnp.ones(3), jnp.ones(3), drag=jnp.ones(3))


def wrong_number_through_map():
    def fall(height, speed, drag):
        return height - speed * drag

    return jax.jit(jax.vmap(fall))(jnp.ones(3), jnp.ones(3), drag=0.1)  # error


def right_number_through_map():
    def fall(height, speed, drag):
        return height - speed * drag

    return jax.jit(jax.vmap(functools.partial(fall, drag=0.1)))(jnp.ones(3), jnp.ones(3))


def wrong_name_of_compiled():
    @jax.jit
    def halved(x):
        return x / 2

    return halved(x=jnp.ones(2), times=2)  # error


def right_name_of_compiled():
    @functools.partial(jax.jit, static_argnames="times")
    def halved(x, times):
        return x / 2**times

    return halved(x=jnp.ones(2), times=2)


def wrong_missing():
    @jax.jit
    def affine(w, b, x):
        return w * x + b

    return affine(jnp.ones(2), jnp.ones(2))  # error


def right_missing():
    @jax.jit
    def affine(w, b, x=1.0):
        return w * x + b

    return affine(jnp.ones(2), jnp.ones(2))


def wrong_arguments_of_gradient():
    def loss(w, x):
        return (w * x).sum()

    return jax.grad(loss)(jnp.ones(2), jnp.ones(2), jnp.ones(2))  # error


def right_arguments_of_gradient():
    def loss(w, *xs):
        return sum((w * x).sum() for x in xs)

    return jax.grad(loss)(jnp.ones(2), jnp.ones(2), jnp.ones(2))


def wrong_name_in_jax():
    def limited(x):
        return jnp.clip(x, a_min=0.0)  # error

    return limited(jnp.ones(3))


def right_name_in_jax():
    def limited(x):
        return jnp.clip(x, min=0.0)

    return limited(jnp.ones(3))


def wrong_axes_of_map():
    return jax.vmap(jnp.dot, in_axes=(0, 0, None))(jnp.ones((3, 2)), jnp.ones((3, 2)))  # error


def right_axes_of_map():
    return jax.vmap(jnp.dot, in_axes=(0, 0))(jnp.ones((3, 2)), jnp.ones((3, 2)))


def wrong_name_of_function():
    def smooth(x, width):
        return jnp.convolve(x, jnp.ones(width) / width)

    return smooth(jnp.ones(9), size=3)  # error


def right_name_of_function():
    def smooth(x, **options):
        return jnp.convolve(x, jnp.ones(options["size"]) / options["size"])

    return smooth(jnp.ones(9), size=3)

"""Collatz, Mandelbrot, bisection, a stack machine: while_loop, fori_loop, cond, switch, scan, associative_scan."""

import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def collatz(n):
    def cond(carry):
        n, _ = carry
        return n != 1

    def body(carry):
        n, steps = carry
        n = lax.cond(n % 2 == 0, lambda m: m // 2, lambda m: 3 * m + 1, n)
        return n, steps + 1

    return lax.while_loop(cond, body, (n, 0))[1]


def mandelbrot(width, height, rounds=30):
    re = jnp.linspace(-2.0, 0.5, width)
    im = jnp.linspace(-1.1, 1.1, height)
    c = re[None, :] + 1j * im[:, None]

    def body(i, state):
        z, escaped = state
        z = jnp.where(escaped < 0, z * z + c, z)
        outside = (jnp.abs(z) > 2) & (escaped < 0)
        return z, jnp.where(outside, i, escaped)

    z, escaped = lax.fori_loop(0, rounds, body, (jnp.zeros_like(c), jnp.full(c.shape, -1)))
    return z, escaped


def bisect(f, low, high, n=40):
    def step(_, bracket):
        low, high = bracket
        middle = (low + high) / 2
        left = f(low) * f(middle) <= 0
        return jax.tree.map(lambda a, b: jnp.where(left, a, b), (low, middle), (middle, high))

    low, high = lax.fori_loop(0, n, step, (low, high))
    return 0.5 * (low + high)


OPS = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: jnp.maximum(a, b),
]


def machine(program, x):
    def step(acc, instruction):
        op, value = instruction
        acc = lax.switch(op, OPS, acc, value)
        return acc, acc

    codes, operands = program
    return lax.scan(step, x, (codes, operands))


def affine_scan(a, b):
    def combine(left, right):
        (a1, b1), (a2, b2) = left, right
        return a1 * a2, b1 * a2 + b2

    return lax.associative_scan(combine, (a, b))


def power(x, n):
    if n == 0:
        return jnp.ones_like(x)
    half = power(x, n // 2)
    return half * half * (x if n % 2 else 1)


lengths = jax.vmap(collatz)(jnp.arange(1, 12))
z, escaped = mandelbrot(24, 16)
picture = ["".join(" .:-=+*#"[min(7, v % 8)] for v in row) for row in escaped.tolist()]
root = bisect(lambda x: jnp.cos(x) - x, 0.0, 1.0)
roots = jax.vmap(lambda k: bisect(lambda x: x**2 - k, 0.0, k))(jnp.array([1.0, 2.0, 3.0]))
program = (jnp.array([0, 2, 1, 3]), jnp.array([1.0, 2.0, 3.0, 0.0]))
final, trace = machine(program, jnp.float32(4))
coefficients, sums = affine_scan(jnp.full(6, 0.5), jnp.arange(6.0))
cube = power(jnp.arange(4), 3)
root_slope = jax.grad(lambda x: power(x, 5))(2.0)
reverse, _ = lax.scan(lambda c, x: (c + x, None), jnp.zeros(3), jnp.ones((4, 3)), reverse=True)
no_input, ys = lax.scan(lambda c, _: (c * 2, c), 1, None, length=5)
print(*picture[:4], sep="\n")
print(lengths, root, roots, final, trace, sums, cube, root_slope, reverse, no_input, ys)

"""A policy of dtypes chosen by a flag: bfloat16 compute, float32 parameters, loss scaling."""

import dataclasses

import jax
import jax.numpy as jnp

HALF = True


@dataclasses.dataclass(frozen=True)
class Policy:
    param_dtype: jnp.dtype = jnp.float32
    compute_dtype: jnp.dtype = jnp.bfloat16 if HALF else jnp.float32
    output_dtype: jnp.dtype = jnp.float32

    def cast(self, tree, dtype):
        def convert(x):
            if jnp.issubdtype(x.dtype, jnp.floating):
                return x.astype(dtype)
            return x

        return jax.tree.map(convert, tree)

    def to_compute(self, tree):
        return self.cast(tree, self.compute_dtype)

    def to_output(self, tree):
        return self.cast(tree, self.output_dtype)


FULL = Policy(compute_dtype=jnp.float32)
MIXED = Policy()
SIXTEEN = Policy(jnp.float16, jnp.float16, jnp.float16)


def init(key, policy):
    k1, k2, k3 = jax.random.split(key, 3)
    return {
        "embed": jax.random.normal(k1, (20, 8), policy.param_dtype),
        "w": jax.random.normal(k2, (8, 8), dtype=policy.param_dtype) * 0.3,
        "out": jax.random.normal(k3, (8, 20)).astype(policy.param_dtype),
        "steps": jnp.zeros((), "int32"),
    }


def apply(params, tokens, policy):
    params = policy.to_compute(params)
    x = params["embed"][tokens]
    h = jnp.tanh(x @ params["w"])
    h = h + 0.5 * x
    logits = jnp.matmul(h, params["out"], preferred_element_type=jnp.float32)
    return policy.to_output(logits)


def loss_fn(trainable, rest, tokens, policy, scale):
    logits = apply({**trainable, **rest}, tokens[:, :-1], policy)
    logp = jax.nn.log_softmax(logits.astype("float32"))
    picked = jnp.take_along_axis(logp, tokens[:, 1:, None], axis=-1)[..., 0]
    return -picked.mean() * scale


def train(policy, steps=3, scale=128.0):
    params = init(jax.random.PRNGKey(0), policy)
    tokens = jax.random.randint(jax.random.PRNGKey(1), (4, 6), 0, 20)
    grad = jax.jit(jax.grad(loss_fn), static_argnums=3)
    rest = {"steps": params.pop("steps")}
    for _ in range(steps):
        grads = grad(params, rest, tokens, policy, scale)
        finite = jnp.all(jnp.array([jnp.isfinite(g).all() for g in jax.tree.leaves(grads)]))
        scale = jnp.where(finite, scale, scale / 2)
        params = jax.tree.map(
            lambda p, g: jnp.where(finite, p - (0.1 / scale * g).astype(p.dtype), p), params, grads
        )
        rest["steps"] += finite
    params.update(rest)
    return params, apply(params, tokens, policy), scale


runs = {}
for name, policy in [("full", FULL), ("mixed", MIXED), ("half", SIXTEEN)]:
    params, logits, scale = train(policy)
    runs[name] = logits.astype(jnp.float32)
    print(name, params["w"].dtype, logits.dtype, params["steps"], scale)
gap = jnp.abs(runs["full"] - runs["mixed"]).max()
weights = params["w"]
low = jnp.asarray([1, 2, 3], dtype=jnp.int8)
product = low * weights[0, :3]
promoted = low + jnp.uint8(3)
scalar = weights.sum() * 2
strong = weights.sum() * jnp.float32(2)
accumulated = jnp.sum(weights, dtype=jnp.float32)
rounded = jnp.finfo(weights.dtype).eps * jnp.ones(2, weights.dtype)
print(gap, product.dtype, promoted.dtype, scalar.dtype, strong.dtype, accumulated.dtype, rounded)

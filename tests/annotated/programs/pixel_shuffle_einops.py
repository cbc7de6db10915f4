"""Super-resolution with sub-pixel convolution, and the metrics of the result."""

import jax
import jax.numpy as jnp
from einops import rearrange, reduce
from jaxtyping import Array, Float


def pixel_shuffle(x: Float[Array, "b h w c"], r: int) -> Float[Array, "b h*{r} w*{r} c//({r}*{r})"]:
    return rearrange(x, "b h w (c r1 r2) -> b (h r1) (w r2) c", r1=r, r2=r)


def downsample(x: Float[Array, "b h w c"], r: int) -> Float[Array, "b h//{r} w//{r} c"]:
    return reduce(x, "b (h r1) (w r2) c -> b h w c", "mean", r1=r, r2=r)


def conv(x: Float[Array, "b h w c"], kernel: Float[Array, "3 3 c k"]) -> Float[Array, "b h w k"]:
    return jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def upsample(
    small: Float[Array, "b h w c"], kernel: Float[Array, "3 3 c 4*c"]
) -> Float[Array, "b 2*h 2*w c"]:
    residual = pixel_shuffle(conv(small, kernel), 2)
    nearest = jnp.repeat(jnp.repeat(small, 2, axis=1), 2, axis=2)
    return nearest + residual


def psnr(a: Float[Array, "b h w c"], b: Float[Array, "b h w c"]) -> Float[Array, "b"]:
    error = reduce((a - b) ** 2, "b h w c -> b", "mean")
    return -10.0 * jnp.log10(error)


def loss(kernel: Float[Array, "3 3 c 4*c"], large: Float[Array, "b h w c"]) -> Float[Array, ""]:
    return -psnr(upsample(downsample(large, 2), kernel), large).mean()


large = jax.random.uniform(jax.random.key(0), (2, 8, 10, 6))
kernel = 0.01 * jax.random.normal(jax.random.key(1), (3, 3, 6, 24))
value, grad = jax.jit(jax.value_and_grad(loss))(kernel, large)
print(value, jnp.abs(grad).max())

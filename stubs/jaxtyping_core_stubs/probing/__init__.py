"""What JAX's functions return, asked of JAX itself by abstract evaluation: no data, no compilation, no device."""

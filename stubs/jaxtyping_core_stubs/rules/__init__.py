"""Which dtype and shape each function of JAX gives: rules found by probing it, and the overloads that state them."""

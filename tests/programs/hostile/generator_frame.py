"""file: a generator's frame."""


def numbers():
    yield 1


generator = numbers()
x = generator.gi_frame.f_builtins["open"]("pwned_generator_frame", "w")

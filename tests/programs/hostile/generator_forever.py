"""time: a generator of the program's, exhausted by list, without growing."""


def numbers():
    n = 0
    while True:
        n += 1
        if n < 0:
            yield n


x = list(numbers())

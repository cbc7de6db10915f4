"""file: another Python runs a function of the program's."""

import multiprocessing


def touch():
    open("pwned_multiprocess", "w").close()


if __name__ == "__main__":
    process = multiprocessing.get_context("fork").Process(target=touch)
    process.start()
    process.join()

"""file: the class of an object is changed to one that closes otherwise."""

import os


class Plain:
    pass


class Closing:
    def __del__(self):
        os.mkdir("pwned_class_of_object")

    def __enter__(self):
        os.mkdir("pwned_class_of_object_enter")

    def __exit__(self, *error):
        pass


x = Plain()
x.__class__ = Closing
with x:
    pass
del x

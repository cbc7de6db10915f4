"""file: __getattribute__ and __setattr__ write."""


class Params:
    def __getattribute__(self, name):
        open("pwned_getattribute", "w").close()
        return object.__getattribute__(self, name)

    def __setattr__(self, name, value):
        open("pwned_getattribute_set", "w").close()


params = Params()
params.weight = 3
x = params.__class__

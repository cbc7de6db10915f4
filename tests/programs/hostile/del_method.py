"""file: __del__ writes when the object goes."""


class Model:
    def __del__(self):
        open("pwned_del_method", "w").close()


model = Model()
del model

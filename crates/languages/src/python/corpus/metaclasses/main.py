class Registry(type):
    known = {}

    def __new__(mcs, name, bases, space):
        cls = super().__new__(mcs, name, bases, space)
        mcs.remember(cls)  # calls :Registry.remember
        return cls

    @classmethod
    def remember(mcs, cls):
        mcs.known[cls.__name__] = cls

    def create(cls, *args):
        return cls(*args)  # calls :Model.__init__ (missed)

    def all_names(cls):
        return list(cls.known)


class Model(metaclass=Registry):
    def __init__(self, name="x"):
        self.name = name

    def save(self):
        return self.validate()  # calls :Model.validate

    def validate(self):
        return True

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        cls.configure()  # calls :Model.configure

    @classmethod
    def configure(cls):
        return cls


class User(Model):
    def validate(self):
        return super().validate()  # calls :Model.validate


class Singleton(type):
    instances = {}

    def __call__(cls, *args):
        if cls not in cls.instances:
            cls.instances[cls] = super().__call__(*args)
        return cls.instances[cls]


class Settings(metaclass=Singleton):
    def __init__(self, path):
        self.path = path

    def read(self):
        return self.path


def make_class(base):
    class Made(base):
        def extra(self):
            return self.save()  # calls :Model.save (missed)

    return Made


Dynamic = type("Dynamic", (Model,), {})

User.create("a").save()  # calls :Registry.create (missed), :Model.save (missed)
Model.all_names()  # calls :Registry.all_names (missed)
User("b").save()  # calls :Model.__init__, :Model.save
settings = Settings("p")  # calls :Settings.__init__
settings.read()  # calls :Settings.read
Made = make_class(User)  # calls :make_class
made = Made("c")  # calls :Model.__init__ (missed), :make_class.Made@62 (wrong)
made.extra()  # calls :make_class.Made.extra
made.save()  # calls :Model.save (missed)
Dynamic("d").save()  # calls :Model.__init__ (missed), :Model.save (missed), :Dynamic@69 (wrong)

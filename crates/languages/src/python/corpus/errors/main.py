class AppError(Exception):
    def __init__(self, text, code=0):
        super().__init__(text)
        self.code = code

    def explain(self):
        return self.hint()  # calls :AppError.hint

    def hint(self):
        return "hint"


class NotFound(AppError):
    def hint(self):
        return "gone"

    def key(self):
        return 1


class Quiet(Exception):
    pass


def find(key):
    if key == "a":
        raise NotFound(key)  # calls :AppError.__init__
    if key == "b":
        raise AppError("b") from Quiet()  # calls :AppError.__init__, :Quiet
    if key == "c":
        raise Quiet
    return key


def handle(key):
    try:
        return find(key)  # calls :find
    except NotFound as error:
        error.explain()  # calls :AppError.explain
        return error.key()  # calls :NotFound.key
    except (AppError, Quiet) as error:
        return describe(error)  # calls :describe
    else:
        return never()  # calls :never
    finally:
        cleanup()  # calls :cleanup


def describe(error):
    if isinstance(error, AppError):
        return error.explain()  # calls :AppError.explain
    return str(error)


def both(key):
    try:
        find(key)  # calls :find
    except NotFound as first:
        result = first
    except AppError as second:
        result = second
    return result.explain()  # calls :AppError.explain


def never():
    return None


def cleanup():
    return None


for key in "abcd":
    handle(key)  # calls :handle
both("a")  # calls :both
both("b")  # calls :both

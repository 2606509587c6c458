def meow():
    return "meow"


def not_listed():
    return None

def helper():
    return 1


class Heavy:
    def lift(self):
        return helper()  # calls :helper

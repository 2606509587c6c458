class Node:
    kind = "node"

    def __init__(self, name, parent=None):
        self.name = name
        self.parent = parent
        self.setup()  # calls :Node.setup

    def setup(self):
        self.ready = True

    def describe(self):
        return self.label() + self.kind  # calls :Node.label

    def label(self):
        return self.name

    def root(self):
        if self.parent is None:
            return self
        return self.parent.root()  # calls :Node.root (missed)


class Logged:
    def setup(self):
        self.log = []
        super().setup()  # calls :Node.setup (missed)

    def write(self, text):
        self.log.append(text)
        return self


class Counted:
    def __init__(self, *args):
        super().__init__(*args)  # calls :Node.__init__ (missed)
        self.count = 0

    def bump(self):
        self.count += 1
        return self

class Item:
    def __init__(self, name):
        self.name = name

    def label(self):
        return self.name


class Cart:
    def __init__(self):
        self.items = {}

    def add(self, item: Item):
        self.items[item.label()] = item  # calls :Item.label

    def total(self):
        return len(self.items)

    def find(self, name):
        return self.items[name].label()  # calls :Item.label

    def clear(self):
        self.items.clear()

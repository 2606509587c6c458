class Item:
    def __init__(self, weight):
        self.weight = weight

    def heavy(self):
        return self.weight > 2

    def parts(self):
        return [Item(self.weight - 1)]  # calls :Item.__init__

    def key(self):
        return str(self.weight)


def make(n):
    return [Item(i) for i in range(n)]  # calls :Item.__init__


def table(items):
    return {item.key(): item for item in items}  # calls :Item.key (missed)


items = make(4)  # calls :make
heavy = [i for i in items if i.heavy()]  # calls :Item.heavy
heavy[0].key()  # calls :Item.key
names = {i.key() for i in items}  # calls :Item.key
nested = [p.key() for i in items for p in i.parts()]  # calls :Item.key, :Item.parts
for p in (i for i in items):
    p.heavy()  # calls :Item.heavy
pairs = [(i, i.parts()) for i in items]  # calls :Item.parts
for one, rest in pairs:
    one.key()  # calls :Item.key
    rest[0].heavy()  # calls :Item.heavy
by_key = table(items)  # calls :table
by_key["1"].heavy()  # calls :Item.heavy (missed)
for name, item in by_key.items():
    name.upper()
    item.heavy()  # calls :Item.heavy (missed)
for n, item in enumerate(items):
    item.key()  # calls :Item.key
for left, right in zip(items, heavy):
    left.key()  # calls :Item.key
    right.key()  # calls :Item.key
for item in sorted(items, key=lambda i: i.key()):  # calls :Item.key
    item.heavy()  # calls :Item.heavy
for item in reversed(list(items)):
    item.heavy()  # calls :Item.heavy
groups = {}
for item in items:
    groups.setdefault(item.key(), []).append(item)  # calls :Item.key
max(items, key=Item.key).heavy()  # calls :Item.heavy
list(map(lambda i: i.parts(), items))  # calls :Item.parts
next(i for i in items if i.heavy()).key()  # calls :Item.heavy, :Item.key
matrix = [[Item(1) for _ in range(2)] for _ in range(2)]  # calls :Item.__init__
matrix[0][1].key()  # calls :Item.key
[*items, Item(9)][0].key()  # calls :Item.__init__, :Item.key
any(i.heavy() for i in items)  # calls :Item.heavy
i = "text"
i.upper()
head, *tail = items
head.key()  # calls :Item.key
tail[0].key()  # calls :Item.key

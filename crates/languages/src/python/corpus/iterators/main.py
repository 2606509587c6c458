from typing import Generator, Iterable, Iterator


class Row:
    def cells(self):
        yield Cell()  # calls :Cell

    def name(self):
        return "row"


class Cell:
    def text(self):
        return "cell"


class Sheet:
    def __init__(self):
        self.rows = [Row(), Row()]  # calls :Row

    def __iter__(self):
        return iter(self.rows)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]

    def walk(self):
        for row in self:
            yield from row.cells()  # calls :Row.cells


class Cursor:
    def __init__(self, limit):
        self.limit = limit

    def __iter__(self):
        return self

    def __next__(self):
        if self.limit == 0:
            raise StopIteration
        self.limit -= 1
        return Cell()  # calls :Cell


class Typed:
    def __iter__(self) -> Iterator[Row]:
        yield Row()  # calls :Row


def typed() -> Generator[Row, None, None]:
    yield Row()  # calls :Row


def texts(cells: Iterable[Cell]):
    for cell in cells:
        cell.text()  # calls :Cell.text


def pipeline(rows):
    for row in rows:
        yield row.name()  # calls :Row.name (missed)


def echo():
    while True:
        received = yield Cell()  # calls :Cell
        if received is None:
            return


sheet = Sheet()  # calls :Sheet.__init__
for row in sheet:
    row.name()  # calls :Row.name
sheet[0].name()  # calls :Row.name
for cell in sheet.walk():  # calls :Sheet.walk
    cell.text()  # calls :Cell.text
for cell in Cursor(2):  # calls :Cursor.__init__
    cell.text()  # calls :Cell.text
for row in Typed():  # calls :Typed
    row.name()  # calls :Row.name
for row in typed():  # calls :typed
    for cell in row.cells():  # calls :Row.cells
        cell.text()  # calls :Cell.text
texts(sheet.walk())  # calls :texts, :Sheet.walk
list(pipeline(sheet))  # calls :pipeline
next(iter(sheet)).name()  # calls :Row.name
next(sheet.walk()).text()  # calls :Sheet.walk, :Cell.text
talk = echo()  # calls :echo
next(talk).text()  # calls :Cell.text
[row.name() for row in sheet]  # calls :Row.name

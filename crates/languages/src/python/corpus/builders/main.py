"""Methods that give their own object, and objects that make others."""

from typing import Self


class Query:
    def __init__(self, table):
        self.table = table
        self.filters = []

    def where(self, text):
        self.filters.append(Filter(text))  # calls :Filter.__init__
        return self

    def limit(self, n) -> "Query":
        return self

    def copy(self) -> Self:
        return type(self)(self.table)  # calls :Query.__init__

    def build(self):
        return Statement(self)  # calls :Statement.__init__


class Filter:
    def __init__(self, text):
        self.text = text

    def check(self):
        return True


class Joined(Query):
    def join(self, other):
        self.other = other
        return self


class Statement:
    def __init__(self, query: Query):
        self.query = query
        self.first = query.filters[0] if query.filters else Filter("")  # calls :Filter.__init__

    def run(self):
        for part in self.query.filters:
            part.check()  # calls :Filter.check
        self.first.check()  # calls :Filter.check
        return Result(self)  # calls :Result.__init__


class Result:
    def __init__(self, statement):
        self.statement = statement

    def again(self):
        return self.statement.run()  # calls :Statement.run (missed)


class Factory:
    kind = Query

    def make(self, table):
        return self.kind(table)  # calls :Query.__init__

    def make_joined(self, table) -> Joined:
        return Joined(table)  # calls :Query.__init__


Query("a").where("x").limit(2).build().run()  # calls :Query.__init__, :Query.where, :Query.limit, :Query.build, :Statement.run
joined = Joined("b")  # calls :Query.__init__
joined.where("y").join("c").copy().join("d")  # calls :Query.where, :Joined.join, :Query.copy
factory = Factory()  # calls :Factory
factory.make("e").where("z").build()  # calls :Factory.make, :Query.where, :Query.build
factory.make_joined("f").join("g").limit(1)  # calls :Factory.make_joined, :Joined.join, :Query.limit
(
    Query("h")  # calls :Query.__init__
    .where("a")  # calls :Query.where
    .build()  # calls :Query.build
    .run()  # calls :Statement.run
    .again()  # calls :Result.again
)

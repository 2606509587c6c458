import re
from collections import defaultdict, deque


class Line:
    def words(self):
        return ["a"]

    def next_line(self):
        return None

    def trim(self):
        return self


class Source:
    def read(self) -> Line:
        return Line()  # calls :Line

    def maybe(self):
        return Line() if self else None  # calls :Line


def process(source: Source):
    if (line := source.read()) is not None:  # calls :Source.read
        line.trim().words()  # calls :Line.trim, :Line.words
    while (current := source.maybe()) and current.words():  # calls :Source.maybe, :Line.words
        current.trim()  # calls :Line.trim
        break
    return [w for item in [line] if (w := item.words())]  # calls :Line.words


trim = lambda line: line.trim()  # calls :Line.trim (missed)
make = lambda: Line()  # calls :Line
make().words()  # calls :Line.words, :make@34 (wrong)
trim(make())  # calls :make@34 (wrong), :trim@33 (wrong)
process(Source())  # calls :process, :Source
compose = lambda f, g: lambda x: f(g(x))  # calls :trim@33 (wrong)
compose(trim, trim)(make())  # calls :compose@38 (wrong), :make@34 (wrong)
by_name = defaultdict(Line)
by_name["a"].words()  # calls :Line.words
lists = defaultdict(list)
lists["a"].append(Line())  # calls :Line
lists["a"][0].words()  # calls :Line.words
queue = deque([Line()])  # calls :Line
queue.popleft().words()  # calls :Line.words
stack = [Line()]  # calls :Line
stack.pop().trim().words()  # calls :Line.trim, :Line.words
fallback = None or Line()  # calls :Line
fallback.words()  # calls :Line.words
chosen = Line() if fallback else Source()  # calls :Line, :Source@16 (wrong)
chosen.words()  # calls :Line.words
if match := re.match("a", "a"):
    match.group(0).upper()
swap_a, swap_b = Line(), Source()  # calls :Line, :Source
swap_a, swap_b = swap_b, swap_a
swap_a.read()  # calls :Source.read
swap_b.words()  # calls :Line.words
handlers = [lambda: Line().words(), lambda: Source().read()]  # calls :Line, :Line.words, :Source, :Source.read
for handler in handlers:
    handler()
default_argument = lambda line=Line(): line.words()  # calls :Line, :Line.words
default_argument()  # calls :default_argument@62 (wrong)
(a := Line()).words()  # calls :Line, :Line.words
a.trim()  # calls :Line.trim
assert a.words()  # calls :Line.words
print(f"{a.trim().words()!r:>{len(a.words())}}")  # calls :Line.trim, :Line.words

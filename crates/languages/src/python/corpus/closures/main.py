"""Functions within functions, and functions that are handed over."""


def step():
    return 1


def counter():
    n = 0

    def advance():
        nonlocal n
        n += step()  # calls :step
        return n

    return advance


def adders():
    def add(a, b):
        return a + b

    def twice(a):
        return add(a, a)  # calls :adders.add

    return add, twice


def retry(times, task):
    for _ in range(times):
        task()  # calls :step, :Job.run, :counter.advance
    return task


class Job:
    def __init__(self, name):
        self.name = name

    def run(self):
        return self.name


def outer():
    def step():
        return 2

    return step()  # calls :outer.step


def recursive(n):
    def walk(k):
        if k == 0:
            return step()  # calls :step
        return walk(k - 1)  # calls :recursive.walk

    return walk(n)  # calls :recursive.walk


def late():
    return defined_below()  # calls :defined_below


def defined_below():
    return 3


tick = counter()  # calls :counter
tick()  # calls :counter.advance
counter()()  # calls :counter, :counter.advance
add, twice = adders()  # calls :adders
add(1, 2)  # calls :adders.add
twice(2)  # calls :adders.twice
job = Job("a")  # calls :Job.__init__
retry(2, step)  # calls :retry
retry(2, job.run)  # calls :retry
retry(1, tick)  # calls :retry
retry(2, lambda: job.run())  # calls :retry, :Job.run
retry(1, step)()  # calls :retry, :step (missed)
outer()  # calls :outer
recursive(2)  # calls :recursive
late()  # calls :late
same = step
same()  # calls :step
(lambda x: step())(1)  # calls :step, :@84

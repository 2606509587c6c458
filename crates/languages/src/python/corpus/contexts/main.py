import contextlib
from contextlib import ExitStack, closing, contextmanager


class Connection:
    def query(self, text):
        return Cursor()  # calls :Cursor

    def close(self):
        return None


class Cursor:
    def fetch(self):
        return 1

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False


class Pool:
    def __enter__(self):
        return Connection()  # calls :Connection

    def __exit__(self, kind, value, trace):
        self.release()  # calls :Pool.release

    def release(self):
        return None


@contextmanager
def transaction(connection):
    connection.query("begin")  # calls :Connection.query (missed)
    yield connection.query("x")  # calls :Connection.query (missed)


@contextlib.contextmanager
def opened():
    connection = Connection()  # calls :Connection
    try:
        yield connection
    finally:
        connection.close()  # calls :Connection.close


class Session:
    def __init__(self):
        self.pool = Pool()  # calls :Pool

    @contextmanager
    def begin(self):
        with self.pool as connection:
            yield connection

    def use(self):
        with self.begin() as connection:  # calls :Session.begin
            connection.query("a").fetch()  # calls :Connection.query, :Cursor.fetch


with Pool() as connection:  # calls :Pool
    connection.query("a")  # calls :Connection.query
with opened() as c, c.query("b") as cursor:  # calls :opened, :Connection.query
    cursor.fetch()  # calls :Cursor.fetch
with transaction(c) as cursor:  # calls :transaction
    cursor.fetch()  # calls :Cursor.fetch
with closing(Connection()) as held:  # calls :Connection
    held.query("c")  # calls :Connection.query
with ExitStack() as stack:
    entered = stack.enter_context(Pool())  # calls :Pool
    entered.query("d")  # calls :Connection.query (missed)
    stack.callback(connection.close)
with (Pool() as one, Pool() as two):  # calls :Pool
    one.query("e")  # calls :Connection.query
    two.close()  # calls :Connection.close
Session().use()  # calls :Session.__init__, :Session.use
pool = Pool()  # calls :Pool
with pool:
    pool.release()  # calls :Pool.release

"""What is patched for a moment stays what it is for everybody else."""

import service
from patching import patched
from service import Client, load


def fake_fetch(url):
    return "fake"


def fake_send(self, text):
    return "fake " + text


class FakeClient:
    def send(self, text):
        return text

    def ping(self):
        return None


def test_with_patch():
    with patched(service, "fetch", fake_fetch):  # calls patching.py:patched
        pass
    return load("a")  # calls service.py:load


def test_class():
    client = Client()  # calls service.py:Client
    client.send("x")  # calls service.py:Client.send
    return client.ping()  # calls service.py:Client.ping


def test_attribute():
    client = Client()  # calls service.py:Client
    client.helper.run()  # calls service.py:Helper.run
    client.extra = fake_fetch
    return client.extra("u")  # calls :fake_fetch (missed)


def test_restored():
    saved = service.fetch
    service.fetch = fake_fetch
    service.fetch = saved
    return service.fetch("b")  # calls service.py:fetch


def test_set_and_reset():
    setattr(Client, "send", fake_send)
    setattr(Client, "send", Client.original_send)


test_with_patch()  # calls :test_with_patch
test_class()  # calls :test_class
test_attribute()  # calls :test_attribute
test_restored()  # calls :test_restored
test_set_and_reset()  # calls :test_set_and_reset
FakeClient().send("a")  # calls :FakeClient, :FakeClient.send
service.fetch("c")  # calls service.py:fetch

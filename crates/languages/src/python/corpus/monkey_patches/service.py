def fetch(url):
    return url


def load(url):
    return fetch(url)  # calls :fetch


class Helper:
    def run(self):
        return 1


class Client:
    def __init_helper(self):
        return Helper()  # calls :Helper

    @property
    def helper(self):
        return self.__init_helper()  # calls :Client.__init_helper

    def send(self, text):
        return text

    original_send = send

    def ping(self):
        return self.send("ping")  # calls :Client.send

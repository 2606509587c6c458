from . import small as little


class Owl:
    def hoot(self):
        return little.tweet()  # calls zoo/birds/small.py:tweet

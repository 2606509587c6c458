class Account:
    __secret = "s"

    def __init__(self):
        self.__balance = Money()  # calls :Money
        self._tax = Tax()  # calls :Tax

    def __check(self):
        return self.__balance.amount()  # calls :Money.amount

    def pay(self):
        self.__check()  # calls :Account.__check
        self._log()  # calls :Account._log
        return self._tax.of(self.__balance)  # calls :Tax.of

    def _log(self):
        return None

    @staticmethod
    def __key():
        return 1

    def key(self):
        return Account.__key()  # calls :Account.__key


class Savings(Account):
    def __check(self):
        return 2

    def _log(self):
        return super()._log()  # calls :Account._log

    def save(self):
        return self.__check()  # calls :Savings.__check

    def both(self):
        return self._Account__check()  # calls :Account.__check


class Money:
    def amount(self):
        return 1


class Tax:
    def of(self, money: Money):
        return money.amount()  # calls :Money.amount


savings = Savings()  # calls :Account.__init__
savings.pay()  # calls :Account.pay
savings.save()  # calls :Savings.save
savings.both()  # calls :Savings.both
savings.key()  # calls :Account.key
savings._Savings__check()  # calls :Savings.__check
savings._tax.of(Money())  # calls :Tax.of, :Money

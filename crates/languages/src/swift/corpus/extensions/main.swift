struct Money { var cents: Int }
extension Money {
    init(euros: Int) { self.init(cents: euros * 100) }  // calls :Money@1
    func shown() -> String { format(cents) }  // calls :Money.format
    private func format(_ cents: Int) -> String { "\(cents)" }
    struct Rate { func apply(_ money: Money) -> Money { money } }
    static func zero() -> Money { Money(cents: 0) }  // calls :Money@1
}

func run() {
    let money = Money(euros: 3)  // calls :Money.init
    money.shown()  // calls :Money.shown
    Money.Rate().apply(money).shown()  // calls :Money.Rate, :Money.Rate.apply, :Money.shown
    Money.zero().shown()  // calls :Money.zero, :Money.shown
}

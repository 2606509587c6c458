struct User { func greet() {} }
struct Failure { func report() {} }
enum Outcome {
    case done(User, count: Int)
    case failed(Failure)
    indirect case nested(Outcome)
}

func run(_ outcome: Outcome) {
    switch outcome {
    case .done(let user, let count) where count > 0: user.greet()  // calls :User.greet
    case .done(let user, _): user.greet()  // calls :User.greet
    case .failed(let failure): failure.report()  // calls :Failure.report
    case .nested(.failed(let inner)): inner.report()  // calls :Failure.report
    case .nested: break
    }
    if case .failed(let failure) = outcome { failure.report() }  // calls :Failure.report
    guard case let .done(user, _) = outcome else { return }
    user.greet()  // calls :User.greet
}

indirect enum Expr2 { case num(Int), add(Expr2, Expr2)
    func eval() -> Int {
        switch self {
        case .num(let n): return n
        case .add(let a, let b): return a.eval() + b.eval()  // calls :Expr2.eval
        }
    }
}
func even(_ n: Int) -> Bool { n == 0 ? true : odd(n - 1) }  // calls :odd
func odd(_ n: Int) -> Bool { n == 0 ? false : even(n - 1) }  // calls :even
func fact(_ n: Int) -> Int { n < 2 ? 1 : n * fact(n - 1) }  // calls :fact
func run() { _ = Expr2.add(.num(1), .num(2)).eval() }  // calls :Expr2.add, :Expr2.num, :Expr2.eval

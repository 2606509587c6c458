struct Score { var n = 0; mutating func add(_ x: Int) { n += x }; func show() {} }
func change(_ score: inout Score) { score.add(1); score.show() }  // calls :Score.add, :Score.show
func swapAll(_ all: inout [Score]) { all[0].add(2) }  // calls :Score.add
func run() {
    var score = Score()  // calls :Score
    change(&score)  // calls :change
    var all = [score]
    swapAll(&all)  // calls :swapAll
    all[0].show()  // calls :Score.show
}

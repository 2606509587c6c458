package operators
class Vec(val x: Int) {
    operator fun plus(o: Vec) = Vec(x + o.x) // calls :Vec
    operator fun minus(o: Vec) = Vec(x - o.x) // calls :Vec
    operator fun times(n: Int) = Vec(x * n) // calls :Vec
    operator fun unaryMinus() = Vec(-x) // calls :Vec
    operator fun compareTo(o: Vec) = x - o.x
    operator fun contains(n: Int) = n == x
    operator fun rangeTo(o: Vec) = Range() // calls :Range
    fun len() = x
}
class Range { fun size() = 1 }
fun use(a: Vec, b: Vec) {
    (a + b).len() // calls :Vec.len, :Vec.plus
    (a - b * 2).len() // calls :Vec.len, :Vec.minus, :Vec.times
    (-a).len() // calls :Vec.len, :Vec.unaryMinus
    if (a < b) a.len() // calls :Vec.compareTo, :Vec.len
    if (3 in a) b.len() // calls :Vec.contains, :Vec.len
    (a..b).size() // calls :Range.size, :Vec.rangeTo
}

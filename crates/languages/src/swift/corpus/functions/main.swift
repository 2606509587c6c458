func helper(_ x: Int) -> Int { x + 1 }

func outer() -> Int {
    let a = helper(1)  // calls :helper
    return helper(a) + helper(helper(2))  // calls :helper
}

print(outer())  // calls :outer

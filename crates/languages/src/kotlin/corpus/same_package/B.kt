package same_package
fun second() = Unit
fun third() = first() // calls A.kt:first

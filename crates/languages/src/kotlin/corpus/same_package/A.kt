package same_package
fun first() = second() // calls B.kt:second

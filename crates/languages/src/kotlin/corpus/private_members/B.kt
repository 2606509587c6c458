package private_members
private fun hidden() = 3
fun other() = hidden() // calls :hidden

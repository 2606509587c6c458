package imports.lib
class Tool { fun use() = shared() } // calls :shared
fun shared() = 1
fun unseen() = 2

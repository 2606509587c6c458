package import_alias.lib
class Tool { fun use() = 1 }
fun shared() = 1

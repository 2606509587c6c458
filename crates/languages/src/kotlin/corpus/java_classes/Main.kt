package java_classes
class Sub : Base("x") { // calls Base.java:Base.Base
    override fun name(): String = super.name() + helper(1)
}
fun use(sub: Sub) {
    sub.name() // calls :Sub.name
    sub.helper(2)
    Base.create("y").name()
    Base("z").helper(3) // calls Base.java:Base.Base
}

package java_classes
class Sub : Base("x") { // calls Base.java:Base.Base
    override fun name(): String = super.name() + helper(1) // calls Base.java:Base.name, Base.java:Base.helper
}
fun use(sub: Sub) {
    sub.name() // calls :Sub.name
    sub.helper(2) // calls Base.java:Base.helper
    Base.create("y").name() // calls Base.java:Base.create, Base.java:Base.name
    Base("z").helper(3) // calls Base.java:Base.Base, Base.java:Base.helper
}

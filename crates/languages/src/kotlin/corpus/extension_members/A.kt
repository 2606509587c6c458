package extension_members
class Target { fun own() = 1 }
class Scope {
    fun Target.added() = own() // calls :Target.own
    fun use(target: Target) = target.added() // calls :Scope.added
}
fun outside(scope: Scope, target: Target) {
    with(scope) {
        target.added() // calls :Scope.added
    }
}

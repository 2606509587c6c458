package infix
class Step { infix fun then(other: Step) = other; fun run() = 1 }
infix fun Step.after(other: Step) = this
fun use(a: Step, b: Step) {
    (a then b).run() // calls :Step.run, :Step.then
    (a after b).run() // calls :Step.run, :after
    a.then(b).run() // calls :Step.run, :Step.then
}

package factory_functions
interface Client { fun send() = 1 }
class Impl : Client
fun Client(): Client = Impl() // calls :Impl
fun use() = Client().send() // calls :Client.send, :Client@4

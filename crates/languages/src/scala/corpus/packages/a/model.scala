package a.model
class Order { def total: Int = 1 }

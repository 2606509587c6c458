import Core
@testable import App

func testRun() {
    App().run()  // calls Sources/App/App.swift:App.init, Sources/App/App.swift:App.run
    App().start()  // calls Sources/App/App.swift:App.init, Sources/App/App.swift:App.start
    hidden()  // calls Sources/App/App.swift:hidden
    _ = Item().price()  // calls Sources/Core/Item.swift:Item.init, Sources/Core/Item.swift:Item.price
}

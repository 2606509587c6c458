struct Page { func show() {} }
func load(_ url: String, retries: Int = 3, success: (Page) -> Void, failure: (String) -> Void = { _ in }) {}
func load(_ url: String, then: () -> Void) {}
func animate(_ steps: () -> Void, done: (() -> Void)? = nil) {}

func run() {
    load("a") { page in page.show() }  // calls :load@2, :Page.show
    load("a") { page in page.show() } failure: { text in print(text) }  // calls :load@2, :Page.show
    load("a", retries: 1, success: { $0.show() })  // calls :load@2, :Page.show
    animate { finish() }  // calls :animate, :finish
    animate { finish() } done: { finish() }  // calls :animate, :finish
    animate({ finish() }, done: nil)  // calls :animate, :finish
}
func finish() {}

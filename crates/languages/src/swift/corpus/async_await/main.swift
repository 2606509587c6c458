actor Counter {
    var value = 0
    func increment() -> Int { bump(); return value }  // calls :Counter.bump
    private func bump() { value += 1 }
    nonisolated func name() -> String { "c" }
}
struct Client {
    func fetch() async throws -> Page { Page() }  // calls :Page
    func stream() -> AsyncStream<Page> { AsyncStream { _ in } }
}
struct Page { func show() {} }

func run(_ counter: Counter, _ client: Client) async throws {
    _ = await counter.increment()  // calls :Counter.increment
    _ = counter.name()  // calls :Counter.name
    try await client.fetch().show()  // calls :Client.fetch, :Page.show
    async let page = client.fetch()  // calls :Client.fetch
    try await page.show()  // calls :Page.show
    for await page in client.stream() { page.show() }  // calls :Client.stream, :Page.show
    let task = Task { try await client.fetch() }  // calls :Client.fetch
    try await task.value.show()  // calls :Page.show
    Task { await counter.increment() }  // calls :Counter.increment
}

/// Things to be sent to the daemon in order, kept in memory until it takes them.
struct Lane<Item: Sendable>: Sendable {
    /// What waits at most; more is refused.
    static var maximum: Int { 10_000 }

    let items: AsyncStream<Item>
    private let continuation: AsyncStream<Item>.Continuation

    init() {
        (items, continuation) = AsyncStream.makeStream(of: Item.self, bufferingPolicy: .bufferingOldest(Self.maximum))
    }

    /// - Returns: Whether there was room.
    func put(_ item: Item) -> Bool {
        if case .enqueued = continuation.yield(item) { true } else { false }
    }
}

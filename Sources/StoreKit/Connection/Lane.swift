/// An in-memory queue of items to send to the daemon in order.
struct SendQueue<Item: Sendable>: Sendable {
    /// The maximum number of waiting items; more are refused.
    static var maximum: Int { 10_000 }

    let items: AsyncStream<Item>
    private let continuation: AsyncStream<Item>.Continuation

    init() {
        (items, continuation) = AsyncStream.makeStream(of: Item.self, bufferingPolicy: .bufferingOldest(Self.maximum))
    }

    /// - Returns: Whether the queue had room.
    func append(_ item: Item) -> Bool {
        if case .enqueued = continuation.yield(item) { true } else { false }
    }
}

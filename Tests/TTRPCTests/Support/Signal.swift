/// An event that happens once and that a test waits for.
struct Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    func send() {
        continuation.finish()
    }

    func wait() async {
        for await _ in stream {}
    }
}

/// The messages of one streaming call, in order. The call is cancelled when the last reference is released.
///
/// Only one task may iterate over them, and only once.
public struct ServerStreamMessages: AsyncSequence, Sendable {
    public typealias Element = [UInt8]
    public typealias Failure = RPCError

    private let stream: AsyncThrowingStream<[UInt8], any Error>

    private let client: TTRPCClient

    init(_ stream: AsyncThrowingStream<[UInt8], any Error>, of client: TTRPCClient) {
        self.stream = stream
        self.client = client
    }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: stream.makeAsyncIterator(), client: client)
    }

    /// Reads the messages one by one.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncThrowingStream<[UInt8], any Error>.Iterator
        /// Keeps the connection open while the iterator exists.
        fileprivate let client: TTRPCClient

        /// Returns the next message, or `nil` at the end of the stream. Throws the call's error.
        ///
        /// Fails with CANCELLED when the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(RPCError) -> [UInt8]? {
            do {
                if let message = try await base.next(isolation: actor) { return message }
            } catch {
                throw error as? RPCError ?? RPCError(code: .unknown, message: "the stream failed")
            }
            // A cancelled task must not mistake its own cancellation for the server's end of the stream.
            if Task.isCancelled { throw TTRPCClient.cancelled }
            return nil
        }

        /// Returns the next message, or `nil` at the end of the stream. Throws the call's error.
        public mutating func next() async throws(RPCError) -> [UInt8]? {
            try await next(isolation: #isolation)
        }
    }
}

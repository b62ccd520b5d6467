/// The messages of one streaming call, in order; the call ends when nobody holds them any more.
///
/// One task reads them, once.
public struct ServerStreamMessages: AsyncSequence, Sendable {
    public typealias Element = [UInt8]
    public typealias Failure = RPCError

    private let stream: AsyncThrowingStream<[UInt8], any Error>

    private let client: TTRPCClient

    init(_ stream: AsyncThrowingStream<[UInt8], any Error>, of client: TTRPCClient) {
        self.stream = stream
        self.client = client
    }

    /// Starts to read.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: stream.makeAsyncIterator(), client: client)
    }

    /// Reads the messages one by one.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncThrowingStream<[UInt8], any Error>.Iterator
        /// Keeps the connection open while somebody reads.
        fileprivate let client: TTRPCClient

        /// The next message, or `nil` after the server's end of the stream; throws how the call failed.
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
            // A cancelled task must not take its own end for the server's.
            if Task.isCancelled { throw TTRPCClient.cancelled }
            return nil
        }

        /// The next message, or `nil` after the server's end of the stream; throws how the call failed.
        public mutating func next() async throws(RPCError) -> [UInt8]? {
            try await next(isolation: #isolation)
        }
    }
}

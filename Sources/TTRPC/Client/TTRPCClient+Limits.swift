public import NIOCore

extension TTRPCClient {
    /// The resource limits and timeouts of a client connection.
    public struct Limits: Hashable, Sendable {
        /// The maximum number of data bytes in a frame, received or sent; at most `Frame.lengthMaximum`. A call with a
        /// longer request or answer fails with RESOURCE_EXHAUSTED.
        public var frameLength = Frame.lengthDefault
        /// The maximum number of calls in flight. One more fails with RESOURCE_EXHAUSTED and is not sent.
        public var streams = 128
        /// The maximum number of bytes that the server has not read yet. A call beyond it fails with RESOURCE_EXHAUSTED
        /// and is not sent.
        public var outboundBytes = 8 << 20
        /// The maximum number of buffered messages of a stream. One more ends the stream with RESOURCE_EXHAUSTED.
        public var streamMessages = 256
        /// The connection timeout.
        public var connectTimeout = TimeAmount.seconds(5)
        /// The default timeout of a unary call.
        public var unaryTimeout = Duration.seconds(30)

        /// Creates the default limits.
        public init() {}
    }
}

public import NIOCore

extension TTRPCClient {
    /// What one connection of a client may hold, and the times that a call may take.
    public struct Limits: Hashable, Sendable {
        /// The most data bytes of a frame, accepted or sent; at most `Frame.lengthMaximum`. A call whose request or
        /// answer is longer fails with RESOURCE_EXHAUSTED.
        public var frameLength = Frame.lengthDefault
        /// The most calls in flight; one more fails with RESOURCE_EXHAUSTED, and nothing is sent.
        public var streams = 128
        /// How many bytes may wait to be read by the server; a call over it fails with RESOURCE_EXHAUSTED, unsent.
        public var outboundBytes = 8 << 20
        /// How many messages of a stream wait for their reader; one more ends the stream with RESOURCE_EXHAUSTED.
        public var streamMessages = 256
        /// How long the connection may take to be made.
        public var connectTimeout = TimeAmount.seconds(5)
        /// How long a unary call may take that names no timeout.
        public var unaryTimeout = Duration.seconds(30)

        /// Makes the default limits.
        public init() {}
    }
}

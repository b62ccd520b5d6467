public import NIOCore

extension TTRPCServer {
    /// Everything that a peer could otherwise grow without end, and the times that a call may take.
    public struct Limits: Hashable, Sendable {
        /// The most data bytes of a frame that is accepted; at most `Frame.lengthMaximum`. A longer request ends with
        /// RESOURCE_EXHAUSTED. A frame that is sent may have as many, or `Frame.lengthDefault` if that is more; a longer
        /// answer of a handler ends with INTERNAL.
        public var frameLength = Frame.lengthDefault

        /// The most data bytes of a frame that is sent: what handlers make does not depend on what is accepted.
        var sentFrameLength: Int { max(frameLength, Frame.lengthDefault) }

        /// The most bytes of one user id's frames that arrive or whose calls are answered. A frame beyond is answered
        /// RESOURCE_EXHAUSTED and skipped.
        public var frameBytesPerUser = 4 << 20
        /// The most bytes of all such frames.
        public var frameBytesInAll = 16 << 20

        /// The most streams of one connection; more are answered RESOURCE_EXHAUSTED. A stream counts until its handler
        /// has returned, even when its answer is long sent.
        public var streamsPerConnection = 128
        /// The most streams of one user id.
        public var streamsPerUser = 512
        /// The most streams of all connections.
        public var streamsInAll = 2048

        /// The most connections of one user id; one more is closed at once.
        public var connectionsPerUser = 64
        /// The most connections of all.
        public var connectionsInAll = 512
        /// How many of all connections are kept for root and the server's own user id.
        public var connectionsReserved = 8

        /// How many requests a user id may make; `nil` for any number. What is over is answered RESOURCE_EXHAUSTED.
        public var requestRate: RequestRate? = RequestRate()
        /// How many frames of a connection are handled before the next connection gets its turn.
        public var framesPerTurn = 32
        /// After how many frames against the protocol a connection is closed.
        public var faultsMaximum = 16

        /// How many bytes may wait to be read by a peer. Over it no request is read and no stream writes on.
        public var outboundBytes = 1 << 20
        /// How many bytes may wait to be read by all peers. Over it that applies to whoever has more than
        /// `outboundShare` unread.
        public var outboundBytesInAll = 32 << 20
        /// How many bytes may wait to be read by a peer however much others leave unread.
        public var outboundShare = 64 << 10
        /// How long a peer may leave that many bytes unread. Then its streams end with RESOURCE_EXHAUSTED, and after
        /// the same time again its connection closes.
        public var outboundStall = TimeAmount.seconds(30)

        /// How long a new connection may take until its first complete frame.
        public var firstFrame = TimeAmount.seconds(5)
        /// How long a frame may take from its first to its last byte.
        public var frameCompletion = TimeAmount.seconds(10)
        /// How long a connection that is being closed waits for its last bytes to be read.
        public var closeLinger = TimeAmount.seconds(1)

        /// How long a unary call may take that names no timeout.
        public var unaryTimeout = TimeAmount.seconds(30)
        /// The shortest timeout of a call; a shorter one is raised to it.
        public var timeoutMinimum = TimeAmount.milliseconds(1)
        /// The longest timeout of a call; a longer one is lowered to it.
        public var timeoutMaximum = TimeAmount.hours(1)

        /// Makes the default limits.
        public init() {}
    }

    /// A bucket of requests that empties by one with each request and fills again over time.
    public struct RequestRate: Hashable, Sendable {
        /// How many requests are added each second.
        public var perSecond = 500.0
        /// How many requests fit.
        public var burst = 1000.0

        /// Makes the default rate.
        public init() {}

        /// Makes a rate.
        public init(perSecond: Double, burst: Double) {
            self.perSecond = perSecond
            self.burst = burst
        }
    }
}

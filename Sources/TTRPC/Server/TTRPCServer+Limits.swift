public import NIOCore

extension TTRPCServer {
    /// The server's resource limits and timeouts.
    public struct Limits: Hashable, Sendable {
        /// The maximum number of data bytes in a received frame; at most `Frame.lengthMaximum`. A longer request ends
        /// with RESOURCE_EXHAUSTED. A sent frame may have as many, or `Frame.lengthDefault` if that is more; a longer
        /// answer of a handler ends with INTERNAL.
        public var frameLength = Frame.lengthDefault

        /// The maximum number of data bytes in a sent frame. A lower receive limit does not lower it below the default.
        var sentFrameLength: Int { max(frameLength, Frame.lengthDefault) }

        /// The maximum number of frame bytes of one user id, counted from a frame's header until its call is over. A
        /// frame beyond it is answered with RESOURCE_EXHAUSTED and skipped.
        public var frameBytesPerUser = 4 << 20
        /// The maximum number of such frame bytes of all users.
        public var frameBytesInAll = 16 << 20

        /// The maximum number of streams per connection; more are answered with RESOURCE_EXHAUSTED. A stream counts
        /// until its handler has returned, even if its answer was sent earlier.
        public var streamsPerConnection = 128
        /// The maximum number of streams of one user id.
        public var streamsPerUser = 512
        /// The maximum number of streams of all connections.
        public var streamsInAll = 2048

        /// The maximum number of connections of one user id; one more is closed immediately.
        public var connectionsPerUser = 64
        /// The maximum number of connections of all users.
        public var connectionsInAll = 512
        /// How many of these connections are reserved for root and the server's own user id.
        public var connectionsReserved = 8

        /// The request rate limit of a user id; `nil` for no limit. Requests beyond it are answered with
        /// RESOURCE_EXHAUSTED.
        public var requestRate: RequestRate? = RequestRate()
        /// How many frames of a connection are handled before other connections get their turn.
        public var framesPerTurn = 32
        /// The number of protocol violations after which a connection is closed.
        public var faultsMaximum = 16

        /// The maximum number of unread bytes of a peer. At this limit the server reads no requests and streams stop
        /// writing.
        public var outboundBytes = 1 << 20
        /// The maximum number of unread bytes of all peers. At this limit the same applies to every peer with at least
        /// `outboundShare` unread bytes.
        public var outboundBytesInAll = 32 << 20
        /// The number of unread bytes that each peer may always have, regardless of the others.
        public var outboundShare = 64 << 10
        /// How long a peer may stay at such a limit. Then its streams end with RESOURCE_EXHAUSTED, and after the same
        /// time again its connection closes.
        public var outboundStall = TimeAmount.seconds(30)

        /// The timeout for a new connection's first complete frame.
        public var firstFrame = TimeAmount.seconds(5)
        /// The timeout for a frame, from its first to its last byte.
        public var frameCompletion = TimeAmount.seconds(10)
        /// How long a closing connection waits for its last bytes to be read.
        public var closeLinger = TimeAmount.seconds(1)

        /// The default timeout of a unary call.
        public var unaryTimeout = TimeAmount.seconds(30)
        /// The minimum timeout of a call; a shorter one is raised to it.
        public var timeoutMinimum = TimeAmount.milliseconds(1)
        /// The maximum timeout of a call; a longer one is lowered to it.
        public var timeoutMaximum = TimeAmount.hours(1)

        /// Creates the default limits.
        public init() {}
    }

    /// A request rate, enforced by a token bucket.
    public struct RequestRate: Hashable, Sendable {
        /// How many tokens are added each second.
        public var perSecond = 500.0
        /// The capacity of the bucket: the number of requests that may come at once.
        public var burst = 1000.0

        /// Creates the default rate.
        public init() {}

        /// Creates a rate.
        public init(perSecond: Double, burst: Double) {
            self.perSecond = perSecond
            self.burst = burst
        }
    }
}

extension TTRPCServer.Limits {
    /// Returns the deadline of a call with a timeout of so many nanoseconds; 0 means no timeout.
    func deadline(
        timeout: Int64,
        kind: ServerStreams.Kind,
        now: NIODeadline
    ) throws(RPCError) -> NIODeadline {
        guard timeout >= 0 else {
            throw RPCError(code: .invalidArgument, message: "the timeout is negative")
        }
        if timeout == 0 {
            return kind == .unary ? now + unaryTimeout : .distantFuture
        }
        return now + min(max(.nanoseconds(timeout), timeoutMinimum), timeoutMaximum)
    }
}

extension TTRPCServer.Limits {
    /// The descriptors of a connection that awaits admission: its socket, which is not counted as a connection at that
    /// time; the handle on the process; and the process's root directory with a file in it, or a file of `/proc`.
    static let descriptorsPerPending = 4
    /// The descriptors of an event loop: epoll, eventfd and timer.
    static let descriptorsPerLoop = 3

    /// The maximum number of descriptors that a server with these limits has open at the same time, without the
    /// listening socket: those of all admitted and pending connections and of its event loops.
    package var descriptorsMaximum: Int {
        connectionsInAll + AcceptPause.pendingMaximum * Self.descriptorsPerPending
            + NIOSingletons.groupLoopCountSuggestion * Self.descriptorsPerLoop
    }
}

extension TTRPCServer {
    /// The number of event loop threads and blocking threads. The process aborts if one of them cannot be created.
    package static var threadsMaximum: Int {
        NIOSingletons.groupLoopCountSuggestion + NIOSingletons.blockingPoolThreadCountSuggestion
    }
}

extension TTRPCServer {
    /// A server's resource usage.
    public struct Usage: Hashable, Sendable {
        /// The number of open connections, including closed ones whose handlers are still running.
        public var connections: Int
        /// The number of calls whose handlers are running.
        public var streams: Int
        /// The bytes of the frames that are arriving or whose handlers are running.
        public var frameBytes = 0
    }
    /// Reads what a server counts. It keeps neither the server nor its handlers.
    package struct Statistics: Sendable {
        let registry: ServerRegistry

        package var usage: Usage {
            registry.usage
        }

        package var totals: Totals {
            registry.totals
        }
    }

    /// What a server counted since it was created.
    package struct Totals: Hashable, Sendable {
        /// Connections that were closed at once because a limit was reached.
        package var connectionsRefused: UInt64 = 0
        /// Requests that arrived, including refused ones.
        package var requests: UInt64 = 0
        /// Requests that were refused because a limit was reached.
        package var requestsRefused: UInt64 = 0
    }
}

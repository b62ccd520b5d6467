public import NIOCore
public import NIOPosix
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One connection to a ttrpc server on a Unix socket. Any number of tasks may make calls on it concurrently.
///
/// It does not reconnect: after it is closed, all calls fail with UNAVAILABLE; create a new client. Releasing the
/// client and all streams that are being read closes the connection.
public final class TTRPCClient: Sendable {
    static let notConnected = RPCError(code: .unavailable, message: "the connection is closed; nothing was sent")
    static let tooLate = RPCError(code: .deadlineExceeded, message: "the call's deadline has passed")
    static let cancelled = RPCError(code: .cancelled, message: "the call was cancelled")

    let limits: Limits
    let mailbox: LoopMailbox<ClientItem>
    private let channel: any Channel
    private let tokens = Atomic<UInt64>(0)

    init(channel: any Channel, limits: Limits, mailbox: LoopMailbox<ClientItem>) {
        self.channel = channel
        self.limits = limits
        self.mailbox = mailbox
    }

    deinit {
        channel.close(promise: nil)
    }

    /// The delay between attempts to connect to a server whose backlog is full.
    private static let backlogPause = Duration.milliseconds(2)

    /// Connects to the socket at `path`. Throws UNAVAILABLE if no server is listening or if the server accepts no
    /// connection within `connectTimeout`, and PERMISSION_DENIED if the socket's mode excludes this user.
    public static func connect(
        path: String,
        limits: Limits = Limits(),
        on eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) async throws(RPCError) -> TTRPCClient {
        let deadline = NIODeadline.now() + limits.connectTimeout
        while true {
            do {
                return try await ClientBootstrap(group: eventLoopGroup)
                    .connectTimeout(limits.connectTimeout)
                    .connect(unixDomainSocketPath: path) { channel in
                        channel.eventLoop.makeCompletedFuture { try TTRPCClient.make(on: channel, limits: limits) }
                    }
            } catch let error as IOError where error.errnoCode == EACCES {
                throw RPCError(code: .permissionDenied, message: "this user may not connect to \(path)")
            } catch let error as IOError where error.errnoCode == EAGAIN && .now() < deadline {
                // The backlog is full because clients connect faster than the server accepts (unix(7)).
                do { try await Task.sleep(for: backlogPause) } catch { throw cancelled }
            } catch {
                throw RPCError(code: .unavailable, message: "cannot connect to \(path): \(error)")
            }
        }
    }

    /// Returns when the connection is closed or the task is cancelled.
    public func waitUntilClosed() async {
        let token = makeToken()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard mailbox.post(.awaitClose(token, continuation)) else { return continuation.resume() }
                if Task.isCancelled { abandon(token) }
            }
        } onCancel: {
            abandon(token)
        }
    }

    /// Closes the connection; calls in flight fail with UNAVAILABLE.
    public func close() {
        _ = mailbox.post(.close)
    }

    /// Creates a client for a connected channel; call it on the channel's event loop.
    package static func make(on channel: any Channel, limits: Limits) throws -> TTRPCClient {
        let mailbox = LoopMailbox<ClientItem>(eventLoop: channel.eventLoop)
        let handler = ClientConnectionHandler(limits: limits, mailbox: mailbox)
        try channel.pipeline.syncOperations.addHandler(handler)
        return TTRPCClient(channel: channel, limits: limits, mailbox: mailbox)
    }

    func makeToken() -> UInt64 {
        tokens.wrappingAdd(1, ordering: .relaxed).newValue
    }

    func abandon(_ token: UInt64) {
        _ = mailbox.post(.abandon(token))
    }

    var now: NIODeadline {
        channel.eventLoop.now
    }
}

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
        /// The maximum number of buffered messages of a stream. One more ends the stream with RESOURCE_EXHAUSTED, unless the
        /// stream pauses its connection.
        public var streamMessages = 256
        /// The connection timeout.
        public var connectTimeout = TimeAmount.seconds(5)
        /// The default timeout of a unary call.
        public var unaryTimeout = Duration.seconds(30)

        /// Creates the default limits.
        public init() {}
    }
}

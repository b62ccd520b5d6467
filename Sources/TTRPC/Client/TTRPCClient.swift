public import NIOCore
public import NIOPosix
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One connection to a ttrpc server on a Unix socket; any task may call on it, many at a time.
///
/// It does not connect again: when it is closed, all calls fail with UNAVAILABLE, and a new one must be made. Letting
/// go of it, and of the streams being read, closes it.
public final class TTRPCClient: Sendable {
    static let notConnected = RPCError(code: .unavailable, message: "the connection is closed; nothing was sent")
    static let tooLate = RPCError(code: .deadlineExceeded, message: "the call's deadline has passed")
    static let cancelled = RPCError(code: .cancelled, message: "the caller waits no more")

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

    /// Until the next attempt to connect to a server whose backlog is full.
    private static let backlogPause = Duration.milliseconds(2)

    /// Connects to the socket at `path`; throws UNAVAILABLE when nobody serves there, or when the server has accepted
    /// nobody for as long as `connectTimeout`, PERMISSION_DENIED when its mode keeps this user out.
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
                // Others connect faster than the server accepts (unix(7)).
                do { try await Task.sleep(for: backlogPause) } catch { throw cancelled }
            } catch {
                throw RPCError(code: .unavailable, message: "cannot connect to \(path): \(error)")
            }
        }
    }

    /// Returns when the connection is closed, or the task is cancelled.
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

    /// Makes a client of a channel that is connected; on its event loop.
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

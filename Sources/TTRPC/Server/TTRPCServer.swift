public import Logging
public import NIOCore
public import NIOPosix

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A ttrpc server on a Unix socket.
///
/// ```swift
/// let server = TTRPCServer(logger: logger) { peer in
///     var methods = MethodTable()
///     methods["example.Echo", "Echo"] = .unary { call, request in request }
///     return methods
/// }
/// try await server.run(listening: descriptor)
/// ```
public final class TTRPCServer: Sendable {
    /// Returns the methods that a new connection may call. It runs once per connection on its event loop, so it must
    /// not block.
    public typealias ConnectionHandler = @Sendable (Peer) -> MethodTable

    /// Returns the methods that a new connection may call, depending on the process that connected. It runs on a thread
    /// pool, so it may block.
    package typealias ProcessHandler = @Sendable (Peer, Result<PeerProcess, PeerProcess.Failure>) -> MethodTable

    private enum Admission {
        case byUser(ConnectionHandler)
        case byProcess(ProcessHandler)
    }

    private let limits: Limits
    private let logger: Logger
    private let eventLoopGroup: any EventLoopGroup
    private let admission: Admission
    private let serves: @Sendable (UInt32) -> Bool
    private let registry: ServerRegistry

    /// Creates a server that does not listen yet.
    public convenience init(
        limits: Limits = Limits(),
        logger: Logger,
        on eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        connectionHandler: @escaping ConnectionHandler
    ) {
        self.init(limits: limits, logger: logger, on: eventLoopGroup, admission: .byUser(connectionHandler))
    }

    /// Creates a server that does not listen yet and that examines the processes that connect to it.
    ///
    /// - Parameter serves: Whether a user may be served at all. All other users share a few connections, so that they
    ///   do not take those of served users.
    package convenience init(
        limits: Limits = Limits(),
        logger: Logger,
        on eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        serves: @escaping @Sendable (UInt32) -> Bool,
        processHandler: @escaping ProcessHandler
    ) {
        let admission = Admission.byProcess(processHandler)
        self.init(limits: limits, logger: logger, on: eventLoopGroup, admission: admission, serves: serves)
    }

    private init(
        limits: Limits,
        logger: Logger,
        on eventLoopGroup: any EventLoopGroup,
        admission: Admission,
        serves: @escaping @Sendable (UInt32) -> Bool = { _ in true }
    ) {
        self.limits = limits
        self.logger = logger
        self.eventLoopGroup = eventLoopGroup
        self.admission = admission
        self.serves = serves
        registry = ServerRegistry(limits: limits, ownUID: geteuid())
    }

    /// The current resource usage, for metrics.
    public var usage: Usage {
        registry.usage
    }

    /// What the server counts, for metrics.
    package var statistics: Statistics {
        Statistics(registry: registry)
    }

    /// Serves a bound and listening Unix socket, and closes it at the end.
    ///
    /// Returns after `shutDown`, when the last handler has returned. Cancelling the task closes all connections
    /// immediately and cancels all handlers. Call it only once.
    public func run(listening descriptor: CInt) async throws {
        let notifier = AdmissionNotifier()
        let listener = try await ServerBootstrap(group: eventLoopGroup)
            .serverChannelInitializer { [logger] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pause = AcceptPause(logger: logger)
                    notifier.attach(pause, on: channel.eventLoop)
                    try channel.pipeline.syncOperations.addHandler(pause)
                }
            }
            // Accept one connection at a time, so that no more are accepted once accepting has paused.
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            // Read once at a time, so that connections take turns.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            // Each connection keeps a receive buffer of this size.
            .childChannelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 512, maximum: 65_536)
            )
            .bind(descriptor) { channel in self.accept(channel).always { _ in notifier.removePending(channel) } }
        try await listener.executeThenClose { connections in
            if !registry.setListener(listener.channel) { listener.channel.close(promise: nil) }
            try await serve(connections)
        }
    }

    /// Shuts down gracefully: accepts no more connections or calls, ends the streams with UNAVAILABLE, lets unary calls
    /// finish within `grace`, and closes. Then `run` returns.
    public func shutDown(grace: Duration = .seconds(10)) {
        registry.shutDown(grace: TimeAmount(grace))
    }

    /// Returns once each event loop has run a job; it never returns if a loop hangs or cannot be woken.
    package func visitEventLoops() async {
        for eventLoop in eventLoopGroup.makeIterator() {
            await withCheckedContinuation { continuation in
                eventLoop.execute { continuation.resume() }
            }
        }
    }

    private func serve(_ connections: NIOAsyncChannelInboundStream<ServerConnection?>) async throws {
        defer {
            // Only connections that were accepted after the loop below had ended.
            for connection in registry.connections {
                connection.close()
                registry.remove(connection)
            }
        }
        try await withThrowingDiscardingTaskGroup { group in
            for try await connection in connections {
                guard let connection else { continue }
                group.addTask(executorPreference: connection.executor) {
                    await connection.run()
                    self.registry.remove(connection)
                }
            }
        }
    }

    /// Asks the kernel for the peer's credentials and admits the connection or closes it.
    private func accept(_ channel: any Channel) -> EventLoopFuture<ServerConnection?> {
        PeerCredentials.read(from: channel).flatMap { credentials -> EventLoopFuture<ServerConnection?> in
            guard let connection = self.admit(channel, credentials) else {
                self.logger.debug("connection refused", metadata: ["peer.uid": "\(credentials.uid)"])
                channel.close(promise: nil)
                return channel.eventLoop.makeSucceededFuture(nil)
            }
            return self.open(connection, of: Peer(credentials, connectionID: connection.id), channel)
        }.flatMapErrorThrowing { error -> ServerConnection? in
            self.logger.debug("connection failed", metadata: ["error": "\(error)"])
            channel.close(promise: nil)
            return nil
        }
    }

    private func admit(_ channel: any Channel, _ credentials: PeerCredentials) -> ServerConnection? {
        let uid = credentials.uid
        return registry.admit(uid: uid, isServed: serves(uid), now: channel.eventLoop.now) { id in
            ServerConnection(id: id, streamsMaximum: limits.streamsPerConnection, eventLoop: channel.eventLoop)
        }
    }

    private func open(
        _ connection: ServerConnection,
        of peer: Peer,
        _ channel: any Channel
    ) -> EventLoopFuture<ServerConnection?> {
        methods(for: peer, channel).flatMapThrowing { methods -> ServerConnection? in
            let handler = ServerConnectionHandler(
                peer: peer,
                limits: self.limits,
                methods: methods,
                registry: self.registry,
                connection: connection
            )
            try channel.pipeline.syncOperations.addHandler(handler)
            return connection
        }.flatMapErrorThrowing { error in
            self.registry.remove(connection)
            throw error
        }
    }

    private func methods(for peer: Peer, _ channel: any Channel) -> EventLoopFuture<MethodTable> {
        switch admission {
        case .byUser(let handler):
            return channel.eventLoop.makeSucceededFuture(handler(peer))
        case .byProcess(let handler):
            let process: Result<PeerProcess, PeerProcess.Failure>
            do {
                // Immediately, before the process id can be reused.
                process = try PeerProcess.behind(channel, number: peer.pid)
            } catch {
                return channel.eventLoop.makeFailedFuture(error)
            }
            return NIOThreadPool.singleton.runIfActive(eventLoop: channel.eventLoop) { handler(peer, process) }
        }
    }
}

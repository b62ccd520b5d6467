import NIOCore
import NIOEmbedded
import Testing

@testable import TTRPC

/// A server connection on an embedded channel with a virtual clock; the test plays the handlers.
final class ServerHarness {
    let channel = EmbeddedChannel()
    let registry: ServerRegistry
    let connection: ServerConnection
    let handler: ServerConnectionHandler
    private let slowReader = SlowReader()

    init(
        limits: TTRPCServer.Limits = .generous,
        methods: MethodTable = .testing,
        registry: ServerRegistry? = nil,
        uid: UInt32 = 1000
    ) throws {
        self.registry = registry ?? ServerRegistry(limits: limits, ownUID: 1000)
        let loop = channel.eventLoop
        let admitted = self.registry.admit(uid: uid, now: loop.now) { id in
            ServerConnection(id: id, streamsMaximum: limits.streamsPerConnection, eventLoop: loop)
        }
        connection = try #require(admitted)
        handler = ServerConnectionHandler(
            peer: Peer(uid: uid, gid: uid, pid: 1, connectionID: connection.id),
            limits: limits,
            methods: methods,
            registry: self.registry,
            connection: connection
        )
        try channel.pipeline.syncOperations.addHandlers([slowReader, handler])
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/test")).wait()
    }

    deinit {
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    var isOpen: Bool { channel.isActive }

    /// Makes the peer stop reading.
    func stopReading() { slowReader.isReading = false }

    /// Makes the peer read all pending bytes.
    func resumeReading() {
        slowReader.resume()
        channel.embeddedEventLoop.run()
    }

    /// Makes the peer read the oldest write only.
    func readOne() {
        slowReader.passOne()
        channel.embeddedEventLoop.run()
    }

    /// Delivers the bytes to the server.
    func send(_ bytes: ByteBuffer) throws {
        try channel.writeInbound(bytes)
        channel.embeddedEventLoop.run()
    }

    func send(_ frames: Frame...) throws {
        for frame in frames { try send(frame.wire) }
    }

    /// Sends the connection an item from a handler or the server.
    func post(_ items: ServerItem...) {
        for item in items { _ = connection.mailbox.post(item) }
        channel.embeddedEventLoop.run()
    }

    /// Writes a message as a streaming handler does.
    func write(_ message: [UInt8], to streamID: UInt32) {
        handler.budget.add(FrameHeader.size + message.count)
        post(.message(streamID, message))
    }

    /// Returns an answer as a unary handler does.
    func answer(_ streamID: UInt32, _ envelope: ResponseEnvelope = .success([])) {
        post(.answer(streamID, envelope))
    }

    /// Cancels the calls with a call id as a handler does; returns whether there was one.
    func cancel(_ callID: String, askedBy streamID: UInt32? = nil) -> Bool {
        defer { handler.finishTurn() }
        return handler.cancel(callID, askedBy: streamID)
    }

    /// How often the server asked for more bytes.
    var reads: Int { slowReader.reads }

    func advance(by time: TimeAmount) {
        channel.embeddedEventLoop.advanceTime(by: time)
    }

    /// The frames that the server sent since the last look.
    func replies() throws -> [Frame] {
        var bytes = ByteBuffer()
        while var next = try channel.readOutbound(as: ByteBuffer.self) { bytes.writeBuffer(&next) }
        return FrameReader.frames(in: bytes)
    }

    /// The only reply since the last look.
    func reply() throws -> Frame {
        let replies = try replies()
        try #require(replies.count == 1)
        return try #require(replies.first)
    }
}

/// Holds back writes, as a hanging peer does.
private final class SlowReader: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    var isReading = true
    private(set) var reads = 0
    private var held: [(ByteBuffer, EventLoopPromise<Void>?)] = []
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        held.forEach { $0.1?.fail(ChannelError.ioOnClosedChannel) }
        held = []
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if isReading {
            context.write(data, promise: promise)
        } else {
            held.append((unwrapOutboundIn(data), promise))
        }
    }

    func read(context: ChannelHandlerContext) {
        reads += 1
        context.read()
    }

    func passOne() {
        guard !held.isEmpty else { return }
        let (bytes, promise) = held.removeFirst()
        context?.writeAndFlush(wrapOutboundOut(bytes), promise: promise)
    }

    func resume() {
        isReading = true
        let written = held
        held = []
        written.forEach { context?.write(wrapOutboundOut($0.0), promise: $0.1) }
        context?.flush()
    }
}

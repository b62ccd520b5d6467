import NIOCore
import NIOEmbedded

@testable import TTRPC

extension FuzzTarget {
    /// A server's connection: bytes of its peer, actions of its handlers, and time, in any order.
    static let server = FuzzTarget("server") { input in
        guard let play = try? ServerPlay() else { return promise(false, "the connection opens") }
        play.run(FuzzScript(input))
    }
}

/// One connection of a server on an embedded channel. The script plays its handlers.
private final class ServerPlay {
    private let channel = EmbeddedChannel()
    private let registry: ServerRegistry
    private let connection: ServerConnection
    private let handler: ServerConnectionHandler
    private let reader = HeldWrites()
    private var lastID: UInt32 = 0
    private var sent = FrameReader(lengthMaximum: Frame.lengthMaximum)
    /// The streams whose handlers have not returned.
    private var running: [UInt32] = []

    private static let limits: TTRPCServer.Limits = {
        var limits = TTRPCServer.Limits()
        limits.frameLength = 1024
        limits.streamsPerConnection = 4
        limits.outboundBytes = 2048
        return limits
    }()

    private static let methods: MethodTable = {
        var methods = MethodTable()
        methods["s", "u"] = .unary { _, request in request }
        methods["s", "m"] = .serverStreaming { _, _, _ in }
        return methods
    }()

    init() throws {
        registry = ServerRegistry(limits: Self.limits, ownUID: 1)
        let loop = channel.eventLoop
        let admitted = registry.admit(uid: 2, now: loop.now) { id in
            ServerConnection(id: id, streamsMaximum: Self.limits.streamsPerConnection, eventLoop: loop)
        }
        guard let admitted else { throw ChannelError.ioOnClosedChannel }
        connection = admitted
        handler = ServerConnectionHandler(
            peer: Peer(uid: 2, gid: 2, pid: 2, connectionID: admitted.id),
            limits: Self.limits,
            methods: Self.methods,
            registry: registry,
            connection: admitted
        )
        try channel.pipeline.syncOperations.addHandlers([reader, handler])
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/fuzz")).wait()
    }

    func run(_ script: FuzzScript) {
        var script = script
        while channel.isActive, let step = script.next() {
            take(step, &script)
            channel.embeddedEventLoop.run()
            checkReplies()
            promise(registry.usage.streams <= Self.limits.streamsPerConnection, "streams are within their limit")
        }
        end()
    }

    private func take(_ step: UInt8, _ script: inout FuzzScript) {
        switch step % 10 {
        case 0, 1: send(script.piece())
        case 2: send(request(script.next() ?? 0, script.piece()))
        case 3: channel.embeddedEventLoop.advanceTime(by: .milliseconds(100 * Int64(script.next() ?? 0)))
        case 4: answer(script.next() ?? 0, script.piece())
        case 5: write(script.next() ?? 0, script.piece())
        case 6: endStream(script.next() ?? 0)
        case 7:
            _ = handler.cancel(String(script.next() ?? 0))
            handler.finishTurn()
        case 8: reader.toggle()
        default: _ = connection.mailbox.post(.shutDown(.milliseconds(100 * Int64(script.next() ?? 0))))
        }
    }

    private func send(_ bytes: ByteBuffer) {
        let before = handler.streams
        _ = try? channel.writeInbound(bytes)
        channel.embeddedEventLoop.run()
        // Only these ids can have opened: the bytes may name too many others.
        for id in stride(from: 1, through: max(lastID, 63), by: 2) where handler.streams.mayWrite(id) {
            if !before.mayWrite(id), !running.contains(id) { running.append(id) }
        }
    }

    /// A request as clients send it, with the next id, for a stream or a single answer.
    private func request(_ kind: UInt8, _ payload: ByteBuffer) -> ByteBuffer {
        lastID = lastID == 0 ? 1 : lastID &+ 2
        let envelope = RequestEnvelope(
            service: "s",
            method: kind % 2 == 0 ? "u" : "m",
            payload: Array(buffer: payload),
            timeout: kind % 3 == 0 ? 0 : Int64(kind) * 100_000_000,
            metadata: kind % 5 == 0 ? [:] : [Metadata.callIDKey: String(kind)]
        )
        var bytes = ByteBuffer()
        _ = bytes.writeFrame(
            .request,
            streamID: lastID,
            flags: kind % 2 == 0 ? [] : .remoteClosed,
            lengthMaximum: Frame.lengthMaximum
        ) { envelope.write(to: &$0) }
        return bytes
    }

    private func pick(_ number: UInt8, where isFit: (UInt32) -> Bool) -> UInt32? {
        let fit = running.filter(isFit)
        return fit.isEmpty ? nil : fit[Int(number) % fit.count]
    }

    private func isStreaming(_ id: UInt32) -> Bool { handler.streamEnds[id] != nil }

    private func answer(_ number: UInt8, _ payload: ByteBuffer) {
        guard let id = pick(number, where: { !isStreaming($0) }) else { return }
        running.removeAll { $0 == id }
        let error = RPCError(code: .notFound, message: "as asked")
        let envelope: ResponseEnvelope = number % 3 == 0 ? .failure(error) : .success(Array(buffer: payload))
        _ = connection.mailbox.post(.answer(id, envelope))
    }

    private func write(_ number: UInt8, _ message: ByteBuffer) {
        guard !handler.budget.isFull, let id = pick(number, where: isStreaming) else { return }
        handler.budget.add(FrameHeader.size + message.readableBytes)
        _ = connection.mailbox.post(.message(id, Array(buffer: message)))
    }

    private func endStream(_ number: UInt8) {
        guard let id = pick(number, where: isStreaming) else { return }
        running.removeAll { $0 == id }
        let error = number % 2 == 0 ? nil : RPCError(code: .dataLoss, message: "as asked")
        _ = connection.mailbox.post(.streamEnd(id, error))
    }

    private func checkReplies() {
        while let bytes = try? channel.readOutbound(as: ByteBuffer.self) { sent.append(bytes) }
        while let event = sent.next() {
            guard case .frame(let frame) = event else { return promise(false, "the server sends complete frames") }
            promise(frame.data.readableBytes <= Self.limits.frameLength, "every sent frame is within the limit")
            promise(frame.header.type != .request, "a server sends no requests")
            guard frame.header.type == .response else { continue }
            promise((try? ResponseEnvelope(wire: frame.data)) != nil, "every response is valid")
        }
    }

    private func end() {
        _ = try? channel.finish(acceptAlreadyClosed: true)
        registry.remove(connection)
        promise(
            registry.usage == TTRPCServer.Usage(connections: 0, streams: 0),
            "a closed connection releases its resources"
        )
    }
}

/// Holds back writes while it is on, as the socket of a hanging peer does.
private final class HeldWrites: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var isHolding = false
    private var held: [(ByteBuffer, EventLoopPromise<Void>?)] = []
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        let promises = held.map(\.1)
        held = []
        promises.forEach { $0?.fail(ChannelError.ioOnClosedChannel) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if isHolding {
            held.append((unwrapOutboundIn(data), promise))
        } else {
            context.write(data, promise: promise)
        }
    }

    func toggle() {
        isHolding.toggle()
        guard !isHolding else { return }
        let written = held
        held = []
        written.forEach { context?.write(wrapOutboundOut($0.0), promise: $0.1) }
        context?.flush()
    }
}

import NIOCore

/// One client connection on its event loop: writes requests, reads answers and enforces deadlines.
final class ClientConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = Never
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let limits: TTRPCClient.Limits
    private let mailbox: LoopMailbox<ClientItem>
    private var context: ChannelHandlerContext?
    private var reader: FrameReader
    private var streams: ClientStreams
    private var calls: [UInt32: ClientCall] = [:]
    private var pause = ReadPause()
    private var closeWaiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    private var timer = LoopTimer()
    private var outgoing = ByteBuffer()
    private var outboundBytes = 0

    init(limits: TTRPCClient.Limits, mailbox: LoopMailbox<ClientItem>) {
        self.limits = limits
        self.mailbox = mailbox
        reader = FrameReader(lengthMaximum: limits.frameLength)
        streams = ClientStreams(streamsMaximum: limits.streams)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        mailbox.open { items in self.receive(items) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        timer.clear()
        mailbox.close()
        let error = RPCError(
            code: .unavailable,
            message: "the connection was lost; the request may have been sent"
        )
        calls.values.forEach { $0.finish(.failure(error)) }
        calls = [:]
        closeWaiters.values.forEach { $0.resume() }
        closeWaiters = [:]
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        reader.append(unwrapInboundIn(data))
        while let event = reader.next() {
            switch event {
            case .frame(let frame): follow(streams.receive(frame.header), of: frame)
            case .oversized(let header), .refused(let header): followOversized(header)
            case .broken: context.close(promise: nil)
            }
        }
        closeIfExhausted()
    }

    func read(context: ChannelHandlerContext) {
        if pause.mayRead() {
            context.read()
        }
    }

    private func receive(_ items: [ClientItem]) {
        for item in items {
            switch item {
            case .start(let call): start(call)
            case .abandon(let token): abandon(token)
            case .read(let token): resume(if: pause.read(token))
            case .awaitClose(let token, let continuation): awaitClose(token, continuation)
            case .close: context?.close(promise: nil)
            }
        }
        flush()
        closeIfExhausted()
    }

    private func start(_ call: ClientCall) {
        guard let context else { return call.finish(.failure(TTRPCClient.notConnected)) }
        guard call.deadline > context.eventLoop.now else { return call.finish(.failure(TTRPCClient.tooLate)) }
        guard outboundBytes + outgoing.readableBytes < limits.outboundBytes else {
            let error = RPCError(code: .resourceExhausted, message: "the server is not reading its requests")
            return call.finish(.failure(error))
        }
        switch streams.open(call.kind, deadline: call.deadline, silenceMaximum: call.silenceMaximum) {
        case .refuse(let error):
            call.finish(.failure(error))
        case .open(let id):
            write(call, id)
        }
    }

    private func write(_ call: ClientCall, _ id: UInt32) {
        let isWritten = outgoing.writeFrame(
            .request,
            streamID: id,
            flags: call.kind == .unary ? [] : .remoteClosed,
            lengthMaximum: limits.frameLength
        ) { call.request.write(to: &$0) }
        guard isWritten else {
            streams.abandon(id)
            let error = RPCError(code: .resourceExhausted, message: "the request is longer than the frame limit")
            return call.finish(.failure(error))
        }
        calls[id] = call
        setTimer(call.deadline)
        noteActivity(id)
    }

    private func noteActivity(_ id: UInt32) {
        guard let now = context?.eventLoop.now else { return }
        setTimer(streams.noteActivity(id, now: now))
    }

    private func abandon(_ token: UInt64) {
        if let waiter = closeWaiters.removeValue(forKey: token) { return waiter.resume() }
        resume(if: pause.remove(token))
        guard let (id, call) = calls.first(where: { $0.value.token == token }) else { return }
        streams.abandon(id)
        calls[id] = nil
        call.finish(.failure(TTRPCClient.cancelled))
    }

    private func awaitClose(_ token: UInt64, _ continuation: CheckedContinuation<Void, Never>) {
        if context == nil { return continuation.resume() }
        closeWaiters[token] = continuation
    }

    private func follow(_ verdict: ClientStreams.Verdict, of frame: Frame) {
        let id = frame.header.streamID
        switch verdict {
        case .respond: respond(id, frame.data)
        case .deliver: deliver(id, frame.data)
        case .deliverAndFinish:
            deliver(id, frame.data)
            calls.removeValue(forKey: id)?.finish(.success([]))
        case .finish: calls.removeValue(forKey: id)?.finish(.success([]))
        case .fail(let error): calls.removeValue(forKey: id)?.finish(.failure(error))
        case .drop: break
        }
    }

    /// Reads if a read was held back.
    private func resume(if isHeldBack: Bool) {
        if isHeldBack {
            context?.read()
        }
    }

    private func followOversized(_ header: FrameHeader) {
        let verdict = streams.receiveOversized(header)
        follow(verdict, of: Frame(header: header, data: ByteBuffer()))
    }

    private func respond(_ id: UInt32, _ data: ByteBuffer) {
        guard let call = calls.removeValue(forKey: id) else { return }
        do throws(RPCError) {
            call.finish(try ResponseEnvelope(wire: data))
        } catch {
            call.finish(.failure(RPCError(code: .internalError, message: error.message)))
        }
    }

    private func deliver(_ id: UInt32, _ data: ByteBuffer) {
        guard let call = calls[id], case .stream(let continuation) = call.sink else { return }
        noteActivity(id)
        if call.pausesConnection { pause.add(call.token) }
        guard case .dropped = continuation.yield(Array(buffer: data)) else { return }
        streams.abandon(id)
        calls[id] = nil
        let error = RPCError(code: .resourceExhausted, message: "the stream's buffer is full; read its messages faster")
        call.finish(.failure(error))
    }

    private func flush() {
        guard let context, outgoing.readableBytes > 0 else { return }
        let bytes = outgoing
        outgoing = context.channel.allocator.buffer(capacity: 0)
        outboundBytes += bytes.readableBytes
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in self.outboundBytes -= bytes.readableBytes }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: written)
    }

    private func closeIfExhausted() {
        if streams.isExhausted { context?.close(promise: nil) }
    }

    private func setTimer(_ deadline: NIODeadline?) {
        guard let deadline, let context else { return }
        timer.set(deadline, on: context.eventLoop) { self.timerFired() }
    }

    private func timerFired() {
        timer.clear()
        guard let now = context?.eventLoop.now else { return }
        for id in streams.expire(now: now) {
            calls.removeValue(forKey: id)?.finish(.failure(TTRPCClient.tooLate))
        }
        setTimer(streams.earliestDeadline)
        closeIfExhausted()
    }
}

/// A command that a task sends to its client's event loop.
enum ClientItem: Sendable {
    /// Start a call.
    case start(ClientCall)
    /// The call with this token was cancelled.
    case abandon(UInt64)
    /// A message of the stream with this token was read.
    case read(UInt64)
    /// A task is waiting for the connection to close.
    case awaitClose(UInt64, CheckedContinuation<Void, Never>)
    /// Close the connection.
    case close
}

/// Holds the connection's reads back while a stream that asked for it has too many unread messages.
struct ReadPause: Equatable {
    /// The number of unread messages of a stream at which reading stops.
    static let unreadMaximum = 16

    /// The unread messages of each stream, by its call's token.
    private var unread: [UInt64: Int] = [:]
    private var isReadHeldBack = false

    private var isOn: Bool {
        unread.values.contains { $0 >= Self.unreadMaximum }
    }

    /// Counts a message that arrived.
    mutating func add(_ token: UInt64) {
        unread[token, default: 0] += 1
    }

    /// Whether the connection may read now; otherwise the read is held back.
    mutating func mayRead() -> Bool {
        isReadHeldBack = isOn
        return !isReadHeldBack
    }

    /// Counts a message that was read; returns whether the read that was held back is now due.
    mutating func read(_ token: UInt64) -> Bool {
        guard let count = unread[token] else {
            return false
        }
        unread[token] = max(0, count - 1)
        return takeHeldBack()
    }

    /// Forgets a stream; returns whether the read that was held back is now due.
    mutating func remove(_ token: UInt64) -> Bool {
        guard unread.removeValue(forKey: token) != nil else {
            return false
        }
        return takeHeldBack()
    }

    private mutating func takeHeldBack() -> Bool {
        guard isReadHeldBack, !isOn else {
            return false
        }
        isReadHeldBack = false
        return true
    }
}

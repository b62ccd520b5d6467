import NIOCore

/// One server connection on its event loop: reads frames, opens and ends streams, enforces timeouts, and writes.
///
/// The values that it owns (`FrameReader`, `ServerStreams`, `ConnectionTimers`) and the shared `ResourceQuotas` make
/// the decisions; this class drives the channel and the timer. It sends calls to `accepted`, where the connection's
/// task runs them, or starts them itself if they need no task; their results come back through the mailbox.
final class ServerConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = Never
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    let peer: Peer
    let limits: TTRPCServer.Limits
    let methods: MethodTable
    let registry: ServerRegistry
    let mailbox: LoopMailbox<ServerItem>
    let accepted: AsyncStream<[AcceptedCall]>.Continuation
    let unanswered: UnansweredCalls
    let budget: OutboundBudget

    var streams: ServerStreams
    var timers = ConnectionTimers()
    /// The signals that end the handlers of the open streaming calls early.
    var streamEnds: [UInt32: AsyncStream<Never>.Continuation] = [:]
    /// The sizes of the frames that opened the calls whose handlers are running.
    var frameBytes: [UInt32: Int] = [:]
    /// The calls opened in this turn.
    var batch: [AcceptedCall] = []
    /// The frames written in this turn.
    var outgoing = ByteBuffer()
    /// How many of these bytes are already counted in the budget.
    var outgoingCounted = 0
    var isStopping = false
    var isClosing = false

    private(set) var context: ChannelHandlerContext?
    private var reader: FrameReader
    private var timer = LoopTimer()
    private var isTurnScheduled = false
    private var isReadHeld = false
    private var flushesPending = 0

    init(
        peer: Peer,
        limits: TTRPCServer.Limits,
        methods: MethodTable,
        registry: ServerRegistry,
        connection: ServerConnection
    ) {
        self.peer = peer
        self.limits = limits
        self.methods = methods
        self.registry = registry
        mailbox = connection.mailbox
        accepted = connection.acceptedContinuation
        unanswered = connection.unanswered
        budget = OutboundBudget(bytesMaximum: limits.outboundBytes, total: registry.outbound)
        reader = FrameReader(lengthMaximum: limits.frameLength)
        streams = ServerStreams(
            streamsMaximum: limits.streamsPerConnection,
            faultsMaximum: limits.faultsMaximum
        )
    }

    var now: NIODeadline {
        context?.eventLoop.now ?? .now()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        timers.firstFrame = now + limits.firstFrame
        setTimer(timers.firstFrame)
        mailbox.open { items in self.receive(items) }
    }

    /// Releases everything. Unlike `channelInactive`, this is also called for a channel that was never active.
    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        timer.clear()
        mailbox.close()
        budget.close(RPCError(code: .unavailable, message: "the connection is closed"))
        streamEnds = [:]
        accepted.finish()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The socket failed, so the connection cannot be used any more.
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        reader.append(unwrapInboundIn(data))
        if !isTurnScheduled { takeTurn() }
    }

    /// Forwards a read only if the last bytes are handled and the peer reads its answers; otherwise holds it back
    /// (backpressure).
    func read(context: ChannelHandlerContext) {
        if isTurnScheduled || isClosing || budget.isFull {
            isReadHeld = true
            // While the server does not read, the peer is not responsible for the delay.
            timers.frameCompletion = nil
        } else {
            context.read()
        }
    }

    /// Handles one turn's worth of frames and leaves the rest for the next turn, after the other connections.
    private func takeTurn() {
        isTurnScheduled = false
        guard context != nil else { return }
        var frames = 0
        while frames < limits.framesPerTurn, !isClosing, let event = nextEvent() {
            frames += 1
            receive(event)
        }
        noteProgress(frames: frames)
        if frames == limits.framesPerTurn, !isClosing {
            isTurnScheduled = true
            context?.eventLoop.assumeIsolated().execute { self.takeTurn() }
        }
        finishTurn()
    }

    private func nextEvent() -> FrameReader.Event? {
        reader.next { registry.admitFrame(connection: peer.connectionID, bytes: $0) }
    }

    /// Submits the calls and the bytes that a turn has collected, and forwards a held-back read if possible.
    func finishTurn() {
        if !batch.isEmpty {
            // At most `streamsPerConnection` batches wait, because each contains a stream whose handler has not
            // returned.
            accepted.yield(batch)
            batch = []
        }
        flush()
        guard isReadHeld, !isTurnScheduled, !isClosing, !budget.isFull else { return }
        isReadHeld = false
        noteProgress(frames: 0)
        context?.read()
    }

    private func noteProgress(frames: Int) {
        if frames > 0 { timers.firstFrame = nil }
        guard reader.isInsideFrame else {
            timers.frameCompletion = nil
            return
        }
        if frames > 0 || timers.frameCompletion == nil {
            timers.frameCompletion = now + limits.frameCompletion
            setTimer(timers.frameCompletion)
        }
    }

    private func flush() {
        guard let context, outgoing.readableBytes > 0 else { return closeIfDone() }
        let bytes = outgoing
        budget.add(bytes.readableBytes - outgoingCounted)
        outgoingCounted = 0
        outgoing = context.channel.allocator.buffer(capacity: 0)
        flushesPending += 1
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in
            self.flushesPending -= 1
            self.didWrite(bytes.readableBytes)
        }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: written)
        watchForStall()
    }

    /// Starts the peer's read timeout, if it has not started.
    func watchForStall() {
        guard budget.isOverShare, timers.outboundStall == nil else { return }
        timers.outboundStall = now + limits.outboundStall
        setTimer(timers.outboundStall)
    }

    private func didWrite(_ count: Int) {
        budget.remove(count)
        if !budget.isFull {
            timers.outboundStall = nil
            // The remaining unread bytes may hold up other connections later, without another write.
            watchForStall()
        }
        finishTurn()
    }

    /// Closes the channel once a closing connection has written its last bytes.
    private func closeIfDone() {
        if isClosing, flushesPending == 0 { context?.close(promise: nil) }
    }

    /// Ensures that the timers are checked at or before the deadline.
    func setTimer(_ deadline: NIODeadline?) {
        guard let deadline, let context else { return }
        timer.set(deadline, on: context.eventLoop) { self.timerFired() }
    }

    private func timerFired() {
        timer.clear()
        checkTimers()
        finishTurn()
        setTimer(timers.earliest)
        setTimer(streams.earliestDeadline)
    }
}

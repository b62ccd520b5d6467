import NIOCore

/// One connection of a server, on its event loop: reads frames, opens and ends streams, keeps the times, writes.
///
/// What is right or wrong is decided by the values it owns (`FrameReader`, `ServerStreams`, `ConnectionTimers`,
/// `Accounts`); here is what they cannot do: the channel and the timer. Calls go to `accepted`, where the connection's
/// task runs them; their results come back through the mailbox.
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
    let gate: WriteGate

    var streams: ServerStreams
    var timers = ConnectionTimers()
    /// What ends the handlers of the open streaming calls.
    var streamEnds: [UInt32: AsyncStream<Never>.Continuation] = [:]
    /// The sizes of the frames that opened the calls whose handlers run.
    var frameBytes: [UInt32: Int] = [:]
    /// The calls opened in this turn.
    var batch: [AcceptedCall] = []
    /// The frames written in this turn.
    var outgoing = ByteBuffer()
    /// How many of these bytes the gate has counted before.
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
        gate = WriteGate(bytesMaximum: limits.outboundBytes, total: registry.outbound)
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

    /// Lets go of everything; unlike `channelInactive`, this comes for a channel that never was active, too.
    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        timer.clear()
        mailbox.close()
        gate.close(RPCError(code: .unavailable, message: "the connection is closed"))
        streamEnds = [:]
        accepted.finish()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The socket failed; the peer is gone, or as good as that.
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        reader.append(unwrapInboundIn(data))
        if !isTurnScheduled { takeTurn() }
    }

    /// Lets a read through when the last bytes are dealt with and the peer reads what it gets.
    func read(context: ChannelHandlerContext) {
        if isTurnScheduled || isClosing || gate.isFull {
            isReadHeld = true
            // What is not read now is not the peer's delay.
            timers.frameCompletion = nil
        } else {
            context.read()
        }
    }

    /// Handles a turn's worth of frames, and leaves the rest to a next turn, after other connections had theirs.
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

    /// Hands over the calls and the bytes that a turn has gathered, and reads on if that was held back.
    func finishTurn() {
        if !batch.isEmpty {
            // Not more than `streamsPerConnection` batches wait: each holds a stream whose handler has not returned.
            accepted.yield(batch)
            batch = []
        }
        flush()
        guard isReadHeld, !isTurnScheduled, !isClosing, !gate.isFull else { return }
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
        gate.add(bytes.readableBytes - outgoingCounted)
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

    /// Begins the time that a peer has to read, if it has not begun.
    func watchForStall() {
        guard gate.isOverShare, timers.outboundStall == nil else { return }
        timers.outboundStall = now + limits.outboundStall
        setTimer(timers.outboundStall)
    }

    private func didWrite(_ count: Int) {
        gate.remove(count)
        if !gate.isFull {
            timers.outboundStall = nil
            // What is left unread may come to be in others' way without another write.
            watchForStall()
        }
        finishTurn()
    }

    /// Closes the channel once everything is written that a closing connection still had to say.
    private func closeIfDone() {
        if isClosing, flushesPending == 0 { context?.close(promise: nil) }
    }

    /// Makes sure that the timers are looked at by then.
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

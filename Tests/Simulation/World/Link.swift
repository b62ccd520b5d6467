import FoundationEssentials
import TillClient
import TillEngine
import TillMemoryLedger
import TillModel

/// A connection of a client to one run of the daemon. The network delays, cuts and duplicates its messages.
// One thread runs the whole simulation, so no two threads access this.
final class Link: ConnectorSession, @unchecked Sendable {
    static let lost = TillError(.unavailable, "The connection was lost.")

    private let openedAt: Duration
    private unowned let world: World
    private let daemon: Daemon
    /// Whether the connection is open, as the client sees it.
    private(set) var isOpen = true
    /// Whether the connection is open, as the daemon sees it.
    private var isServed = true
    private var calls: [Int: () -> Void] = [:]
    private var lastCall = 0
    private var tasks: [Int] = []
    private var streams: [BatchStream] = []

    init(world: World, daemon: Daemon) {
        self.world = world
        self.daemon = daemon
        openedAt = world.scheduler.now
        daemon.connect(self)
    }

    var ledgerID: UUID {
        world.disk.durable.id
    }

    var age: Duration {
        world.scheduler.now - openedAt
    }

    /// Calls the daemon, and waits for the answer until the timeout.
    func call<Value: Sendable>(
        timeout: Duration,
        _ work: @escaping @Sendable (PaymentEngine) async throws(TillError) -> Value
    ) async throws(TillError) -> Value {
        let result: Result<Value, TillError> = await withCheckedContinuation { continuation in
            // Another step may have closed the connection just before this one.
            guard isOpen else {
                return continuation.resume(returning: .failure(Self.lost))
            }
            lastCall += 1
            let number = lastCall
            var result: Result<Value, TillError> = .failure(Self.lost)
            let timer = world.scheduler.after(timeout) { [self] in
                result = .failure(TillError(.deadlineExceeded, "No answer in time."))
                calls.removeValue(forKey: number)?()
            }
            calls[number] = { [world] in
                world.scheduler.cancel(timer)
                continuation.resume(returning: result)
            }
            send(work) { [self] answer in
                result = answer
                calls.removeValue(forKey: number)?()
            }
        }
        return try result.get()
    }

    /// Opens a stream of the queue's changes.
    func observe(_ name: QueueName, after cursor: UInt64?, resumesInitialDelivery: Bool, window: Int, batchSize: Int)
        -> BatchStream
    {
        let stream = BatchStream(self)
        guard isOpen else {
            stream.end(Self.lost)
            return stream
        }
        streams.append(stream)
        deliver { [self] in
            stream.task = execute { engine in
                do {
                    let observation = try engine.observe(
                        name,
                        after: cursor,
                        resumesInitialDelivery: resumesInitialDelivery,
                        window: window,
                        batchSize: batchSize,
                        peer: "uid:1000"
                    )
                    stream.observation = observation
                    try await observation.run { try self.push($0, to: stream) }
                } catch {
                    // The stream ends with its connection, which reports the error.
                }
                self.deliver { stream.end(Self.lost) }
            }
        }
        return stream
    }

    /// Closes the client's end, because the network cut the connection, or the client dropped it or has ended.
    func close() {
        guard isOpen else {
            return
        }
        isOpen = false
        let ends = calls.sorted { $0.key < $1.key }
        calls = [:]
        ends.forEach { $0.value() }
        streams.forEach { $0.end(Self.lost) }
        // The streams hold a reference to this link.
        streams = []
        world.scheduler.after(world.random.duration(0...5)) { [self] in
            isServed = false
            tasks.forEach(daemon.cancel)
        }
    }

    /// Closes the daemon's end after the daemon has died. Messages that it sent before may still arrive.
    func lostDaemon() {
        isServed = false
        world.scheduler.after(world.random.duration(0...3)) { [self] in close() }
    }

    private func send<Value: Sendable>(
        _ work: @escaping @Sendable (PaymentEngine) async throws(TillError) -> Value,
        answer: @escaping (Result<Value, TillError>) -> Void
    ) {
        let reply = Reply(answer)
        if let delay = deliver({ [self] in
            execute { engine in
                let result = await engine.result(work)
                self.deliver { reply.body(result) }
            }
        }) {
            world.scheduler.after(delay) { [world] in
                world.noteCopy()
                world.anyDaemon()?.execute { engine in _ = await engine.result(work) }
            }
        }
    }

    /// Stops reading the stream on the client's side.
    func leave(_ stream: BatchStream) {
        streams.removeAll { $0 === stream }
        if let task = stream.task {
            deliver { [daemon] in daemon.cancel(task) }
        }
    }

    @discardableResult
    private func execute(_ work: @escaping @Sendable (PaymentEngine) async -> Void) -> Int? {
        guard isServed else {
            return nil
        }
        let task = daemon.execute(work)
        tasks.append(task)
        return task
    }

    private func push(_ batch: EventBatch, to stream: BatchStream) throws {
        guard isServed else {
            throw Self.lost
        }
        stream.sent(batch)
        deliver { stream.deliverNext() }
    }

    /// Delivers a message to the other side, or loses the connection.
    ///
    /// - Returns: When another connection delivers a copy of the message; nil if none does.
    @discardableResult
    private func deliver(_ message: @escaping () -> Void) -> Duration? {
        let fate = world.messageFate()
        world.scheduler.after(fate.delay) { [self] in
            guard isOpen else {
                return
            }
            if fate.isCut {
                world.note("a connection is cut")
                close()
            } else {
                message()
            }
        }
        return fate.copy
    }
}

// One thread runs the whole simulation, so no two threads access this.
private final class Reply<Value>: @unchecked Sendable {
    let body: (Result<Value, TillError>) -> Void

    init(_ body: @escaping (Result<Value, TillError>) -> Void) {
        self.body = body
    }
}

extension PaymentEngine {
    fileprivate func result<Value: Sendable>(
        _ work: @Sendable (PaymentEngine) async throws(TillError) -> Value
    ) async -> Result<Value, TillError> {
        do throws(TillError) {
            return .success(try await work(self))
        } catch {
            return .failure(error)
        }
    }
}

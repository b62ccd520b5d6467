import TillClient
import TillModel

/// Keeps a client's connection by the rules of the client library's connector: it connects when a call needs it, and
/// reconnects after a loss with the library's backoff.
// One thread runs the whole simulation, so no two threads access this.
final class SimulatedConnector: @unchecked Sendable {
    private unowned let world: World
    private let time: SimulatedTime
    private var current: Link?
    private var backoff = Backoff()
    private var isConnecting = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isClosed = false

    init(world: World, time: SimulatedTime) {
        self.world = world
        self.time = time
    }

    /// Returns the current connection, or a new one.
    func link(until deadline: Duration) async throws(TillError) -> Link {
        while true {
            guard !isClosed else {
                throw TillError(.cancelled, "The client was closed.")
            }
            if let current {
                return current
            }
            if isConnecting {
                await withCheckedContinuation { waiting.append($0) }
                continue
            }
            do {
                return try await connect(until: deadline)
            } catch  where error.isRetryable && world.scheduler.now < deadline {
                continue
            }
        }
    }

    /// Drops a dead connection; the next call makes another.
    func drop(_ link: Link) {
        guard current === link else {
            return
        }
        backoff.ended(after: world.scheduler.now - link.openedAt)
        link.cut()
        current = nil
    }

    func close() {
        isClosed = true
        current?.cut()
        current = nil
        endAttempt()
    }

    private func connect(until deadline: Duration) async throws(TillError) -> Link {
        isConnecting = true
        defer { endAttempt() }
        let delay = min(backoff.delay(using: &world.random), max(.zero, deadline - world.scheduler.now))
        do {
            // Hello takes time, too.
            try await time.sleep(for: delay + world.random.duration(0...1))
        } catch {
            throw TillError(.cancelled, "The call was cancelled.")
        }
        guard !isClosed else {
            throw TillError(.cancelled, "The client was closed.")
        }
        guard let daemon = world.daemon, daemon.isServing else {
            backoff.failed()
            throw TillError(.unavailable, "The daemon does not answer.")
        }
        let link = Link(world: world, daemon: daemon)
        current = link
        return link
    }

    private func endAttempt() {
        isConnecting = false
        let woken = waiting
        waiting = []
        woken.forEach { $0.resume() }
    }
}

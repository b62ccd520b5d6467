import FoundationEssentials
import TillClient
import TillModel

/// A process that calls the daemon over connections which the client library's connector keeps.
// One thread runs the whole simulation, so no two threads access this.
final class SimulatedClient: @unchecked Sendable {
    private unowned let world: World
    private let host: Host
    /// The connections that may be open.
    private var links: [Link] = []

    init(world: World) {
        self.world = world
        host = Host(scheduler: world.scheduler, clock: world.clock)
    }

    /// Starts a task of the process.
    func start(_ body: @escaping @Sendable () async -> Void) {
        host.start(body)
    }

    /// Ends the process immediately, with its connections.
    ///
    /// - Returns: Whether all tasks of the process ended.
    func kill() -> Bool {
        links.forEach { $0.close() }
        links = []
        return host.kill()
    }

    func pause(_ duration: Duration) async {
        try? await host.time.sleep(for: duration)
    }

    /// Returns a connector with a connection of its own.
    func connector() -> Connector<Link, SimulatedClock> {
        Connector(
            socketPath: "the simulated socket",
            clock: SimulatedClock(scheduler: world.scheduler, time: host.time),
            random: SimulatedRandom(world: world)
        ) { [unowned self] (_) async throws(TillError) in
            try await open()
        }
    }

    private func open() async throws(TillError) -> Link {
        // Hello takes time.
        await pause(world.random.duration(0...1))
        guard !Task.isCancelled else {
            throw TillError(.cancelled, "The call was cancelled.")
        }
        guard let daemon = world.anyDaemon(), daemon.isServing else {
            throw TillError(.unavailable, "The daemon does not answer.")
        }
        let link = Link(world: world, daemon: daemon)
        links.removeAll { !$0.isOpen }
        links.append(link)
        return link
    }
}

/// The simulation's time, for the waits of one process.
struct SimulatedClock: Clock {
    /// A time since the simulation began.
    struct Instant: InstantProtocol {
        var elapsed: Duration

        func advanced(by duration: Duration) -> Instant {
            Instant(elapsed: elapsed + duration)
        }

        func duration(to other: Instant) -> Duration {
            other.elapsed - elapsed
        }

        static func < (left: Instant, right: Instant) -> Bool {
            left.elapsed < right.elapsed
        }
    }

    let scheduler: Scheduler
    let time: SimulatedTime

    var now: Instant {
        Instant(elapsed: scheduler.now)
    }

    var minimumResolution: Duration {
        .nanoseconds(1)
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await time.sleep(for: now.duration(to: deadline))
    }
}

/// The simulation's random numbers.
// One thread runs the whole simulation, so no two threads access this.
struct SimulatedRandom: RandomNumberGenerator, @unchecked Sendable {
    unowned let world: World

    mutating func next() -> UInt64 {
        world.random.next()
    }
}

import TillClient
import TillEngine
import TillModel

/// A process other than the applications that sometimes calls the daemon, one call at a time.
// One thread runs the whole simulation, so no two threads access this.
final class Caller: @unchecked Sendable {
    /// The default time that a call waits for its answer.
    static let timeout = Duration.seconds(5)

    private unowned let world: World
    private let host: Host
    private let connector: SimulatedConnector

    init(world: World) {
        self.world = world
        host = Host(scheduler: world.scheduler, clock: world.clock)
        connector = SimulatedConnector(world: world, time: host.time)
    }

    func start(_ work: @escaping @Sendable () async -> Void) {
        host.start(work)
    }

    /// - Returns: Whether all tasks of the process ended.
    func leave() -> Bool {
        connector.close()
        return host.kill()
    }

    func pause(_ duration: Duration) async {
        try? await host.time.sleep(for: duration)
    }

    /// Makes one call to the daemon.
    func call<Value: Sendable>(
        timeout: Duration = timeout,
        _ work: @escaping @Sendable (PaymentEngine) async throws(TillError) -> Value
    ) async throws(TillError) -> Value {
        let link = try await connector.link(until: world.scheduler.now)
        do {
            return try await link.call(timeout: timeout, work)
        } catch {
            if error.isRetryable {
                connector.drop(link)
            }
            throw error
        }
    }
}

import TillClient
import TillEngine
import TillModel

/// A process other than the applications that sometimes calls the daemon, one call at a time.
// One thread runs the whole simulation, so no two threads access this.
final class Caller: @unchecked Sendable {
    /// The default time that a call waits for its answer.
    static let timeout = Duration.seconds(5)

    private unowned let world: World
    private let client: SimulatedClient
    private let connector: Connector<Link, SimulatedClock>

    init(world: World) {
        self.world = world
        client = SimulatedClient(world: world)
        connector = client.connector()
    }

    func start(_ work: @escaping @Sendable () async -> Void) {
        client.start(work)
    }

    /// - Returns: Whether all tasks of the process ended.
    func leave() -> Bool {
        client.kill()
    }

    func pause(_ duration: Duration) async {
        await client.pause(duration)
    }

    /// Makes one call to the daemon.
    func call<Value: Sendable>(
        timeout: Duration = timeout,
        _ work: @escaping @Sendable (PaymentEngine) async throws(TillError) -> Value
    ) async throws(TillError) -> Value {
        let link = try await connector.session(until: connector.clock.now)
        do {
            return try await link.call(timeout: timeout, work)
        } catch {
            if error.isRetryable {
                await connector.drop(link)
            }
            throw error
        }
    }
}

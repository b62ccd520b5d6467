import FoundationEssentials
import TillClient
import TillEngine
import TillModel

/// Who answers whether payments may be made: now yes, now no, and now and then twice.
// One thread runs a simulation, so that nothing here is touched by two at once.
final class Parent: @unchecked Sendable {
    private static let look = Duration.milliseconds(300)
    private static let pageSize = 8
    private static let timeout = Duration.seconds(5)

    private unowned let world: World
    private let host: Host
    private let connector: SimulatedConnector

    init(world: World) {
        self.world = world
        host = Host(scheduler: world.scheduler, clock: world.clock)
        connector = SimulatedConnector(world: world, time: host.time)
        host.start { await self.watch() }
    }

    /// - Returns: Whether all of its tasks ended.
    func leave() -> Bool {
        connector.close()
        return host.kill()
    }

    private func watch() async {
        while !Task.isCancelled {
            try? await host.time.sleep(for: Self.look)
            do {
                try await answerAll()
            } catch {
                continue
            }
        }
    }

    private func answerAll() async throws(TillError) {
        let approver = Approver(uid: 1000, account: "uid:1000", approvesForOthers: true)
        let requests = try await call { (engine) throws(TillError) in
            try await engine.authorizationRequests(for: approver, token: 0, limit: Self.pageSize).page
        }
        for request in requests {
            let approves = world.random.chance(700)
            world.note("the parent \(approves ? "approves" : "refuses") \(request.id.text)")
            try await call { (engine) throws(TillError) in
                try await engine.answer(request.id, kind: request.kind, approves: approves, reason: "", by: approver)
            }
        }
    }

    private func call<Value: Sendable>(
        _ work: @escaping @Sendable (PaymentEngine) async throws(TillError) -> Value
    ) async throws(TillError) -> Value {
        let link = try await connector.link(until: world.scheduler.now)
        do {
            return try await link.call(timeout: Self.timeout, work)
        } catch {
            if error.isWorthRepeating {
                connector.drop(link)
            }
            throw error
        }
    }
}

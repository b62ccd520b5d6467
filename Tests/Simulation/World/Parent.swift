import FoundationEssentials
import TillEngine
import TillInvariants
import TillModel

/// The parent who approves or declines payments and higher prices, and sometimes answers twice.
// One thread runs the whole simulation, so no two threads access this.
final class Parent: @unchecked Sendable {
    private static let look = Duration.milliseconds(300)
    private static let pageSize = 8

    private unowned let world: World
    private let caller: Caller

    init(world: World) {
        self.world = world
        caller = Caller(world: world)
        caller.start { await self.watch() }
    }

    /// - Returns: Whether all tasks of the parent ended.
    func leave() -> Bool {
        caller.leave()
    }

    private func watch() async {
        while !Task.isCancelled {
            await caller.pause(Self.look)
            do {
                try await answerAll()
            } catch {
                continue
            }
        }
    }

    private func answerAll() async throws(TillError) {
        let approver = Approver(uid: 1000, account: "uid:1000", approvesForOthers: true)
        let requests = try await caller.call { (engine) throws(TillError) in
            try await engine.authorizationRequests(for: approver, token: 0, limit: Self.pageSize).page
        }
        for request in requests {
            let approves = world.random.chance(700)
            world.note("the parent \(approves ? "approves" : "declines") \(request.id.text)")
            if approves, request.kind == .priceConsent, let amount = request.price.minorUnits(quantity: 1) {
                let queue = QueueName(application: request.application, account: request.account)
                world.note(
                    .priceAgreed(payment: request.id, amount: amount, currency: request.price.currency),
                    in: queue
                )
            }
            try await caller.call { (engine) throws(TillError) in
                try await engine.answer(request.id, kind: request.kind, approves: approves, reason: "", by: approver)
            }
        }
    }
}

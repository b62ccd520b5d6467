import FoundationEssentials
import TillEngine
import TillInvariants
import TillModel

/// The parent who approves or declines payments and higher prices, and sometimes answers twice. The parent also looks at
/// the pages of payments that wait for their payer, and declines some of them.
// One thread runs the whole simulation, so no two threads access this.
final class Parent: @unchecked Sendable {
    private static let look = Duration.milliseconds(300)

    private unowned let world: World
    private let caller: Caller
    /// Whether the parent declines a payment that waits for its payer, once it was seen.
    private var declines: [UUID: Bool] = [:]

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
            await caller.pause(world.look(every: Self.look))
            do {
                try await answerAll()
            } catch {
                continue
            }
        }
    }

    /// Opens the page of a payment, or declines the payment.
    private func considerPaying(_ id: UUID, by approver: Approver) async {
        let declines = declines[id] ?? world.random.chance(200)
        self.declines[id] = declines
        guard world.random.chance(100) else {
            return
        }
        world.note("the parent \(declines ? "declines" : "looks at") the payment \(id.text)")
        _ = try? await caller.call { (engine) throws(TillError) in
            if declines {
                try await engine.answer(id, kind: .payment, approves: false, reason: "", by: approver)
            } else {
                _ = try await engine.paymentPage(id, for: approver)
            }
        }
    }

    private func answerAll() async throws(TillError) {
        // Payments that wait for their payer must not hide the others.
        let pageSize = world.profile.payers == nil ? 8 : PaymentEngine.requestPageMaximum
        let approver = Approver(uid: 1000, account: "uid:1000", approvesForOthers: true)
        let requests = try await caller.call { (engine) throws(TillError) in
            try await engine.authorizationRequests(for: approver, token: 0, limit: pageSize).page
        }
        for request in requests where request.kind == .payment {
            await considerPaying(request.id, by: approver)
        }
        for request in requests where request.kind != .payment {
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
                try await engine.answer(
                    request.id,
                    kind: request.kind,
                    approves: approves,
                    price: request.price,
                    reason: "",
                    by: approver
                )
            }
        }
    }
}

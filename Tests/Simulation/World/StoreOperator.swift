import FoundationEssentials
import TillEngine
import TillInvariants
import TillModel

/// An operator's act that an application is notified of.
enum StoreEvent: Hashable {
    /// The store asks the application to buy this payment.
    case offer(UUID)
    /// A part of this transaction, or all of it, was refunded.
    case revocation(UUID)
}

/// An operator of the store. The operator refunds purchases in whole or in part, has the store ask applications to buy,
/// changes settings, raises subscription prices, advances the clock, and resolves everything that waits for an
/// operator.
// One thread runs the whole simulation, so no two threads access this.
final class StoreOperator: @unchecked Sendable {
    static let identity = OperatorIdentity(uid: 1000, reason: "simulated")
    static let look = Duration.milliseconds(300)
    private static let pageSize = 64

    unowned let world: World
    let caller: Caller
    private let queues: [QueueName]
    /// Events that applications must be notified of.
    private var events: Set<StoreEvent> = []
    var country = KnownCountry()
    /// Whether the operator has stopped acting on the store.
    private(set) var hasActed = false

    init(world: World) {
        self.world = world
        caller = Caller(world: world)
        queues = world.queues
        caller.start { await self.work() }
    }

    /// Whether the operator has stopped, and applications were notified of all its acts.
    var isSettled: Bool {
        hasActed && events.isSubset(of: world.notified)
    }

    /// - Returns: Whether all tasks of the operator ended.
    func leave() -> Bool {
        caller.leave()
    }

    private func work() async {
        var actsLeft = world.profile.operatorActs
        var advancesLeft = world.profile.advances
        while actsLeft + advancesLeft > 0, !world.isSettling, !Task.isCancelled {
            await caller.pause(world.random.duration(0...4 * world.profile.pauseMaximum))
            guard !world.isSettling, let queue = world.random.element(of: queues) else {
                break
            }
            if world.random.below(actsLeft + advancesLeft) < advancesLeft {
                advancesLeft -= 1
                await advanceClock()
            } else {
                actsLeft -= 1
                await act(on: queue)
            }
        }
        while !world.isSettling, !Task.isCancelled {
            await caller.pause(world.look(every: Self.look))
        }
        await restoreOrder()
        queues.forEach { world.note(.settled, in: $0) }
        hasActed = true
    }

    private func act(on queue: QueueName) async {
        switch world.random.below(20) {
        case ..<4: await promote(to: queue)
        case ..<9: await changeSettings()
        case ..<12: await resolveSomething()
        case 12 where world.profile.subscribes: await renewOrExpire(in: queue)
        case 13..<15 where world.profile.subscribes: await askForMore(in: queue)
        default: await refund(in: queue)
        }
    }

    private func promote(to queue: QueueName) async {
        let (product, quantity) = world.randomGoods()
        let payment = Payment(id: world.newID(), productID: product, quantity: quantity)
        do throws(TillError) {
            try await caller.call { (engine) throws(TillError) in
                try await engine.promote(payment, to: queue, by: Self.identity)
            }
        } catch {
            return world.note("operator: promoting \(payment.id.text) was answered \(error)")
        }
        events.insert(.offer(payment.id))
        note(.actAnswered(action: "Promote", subject: queue.application, identity: nil), queue)
        note(.promoted(PaymentNote(payment)), queue)
    }

    /// Asks for consent to a higher price of a subscription.
    private func askForMore(in queue: QueueName) async {
        guard let subscription = await subscriptions(in: queue).first else {
            return
        }
        let amount = subscription.renewalPrice.amount * 2
        world.note("operator: asks for \(amount) \(subscription.renewalPrice.currency) per period")
        let id = subscription.latestID
        do throws(TillError) {
            _ = try await caller.call { (engine) throws(TillError) in
                try await engine.requestPriceConsent(id, amount: amount, by: Self.identity)
            }
            note(.actAnswered(action: "RequestPriceConsent", subject: id.text, identity: nil), queue)
        } catch {
            world.note("operator: the higher price was answered \(error)")
        }
    }

    func subscriptions(in queue: QueueName) async -> [SubscriptionStatus] {
        let list = try? await caller.call { (engine) throws(TillError) in
            try await engine.subscriptions(in: queue, token: 0, limit: Self.pageSize).page
        }
        return list ?? []
    }

    /// Has a subscription's next period begin at once, or its last period end.
    private func renewOrExpire(in queue: QueueName) async {
        guard let id = await purchases(in: queue).first(where: { $0.subscription != nil })?.id else {
            return
        }
        let renews = world.random.chance(700)
        world.note("operator: \(renews ? "renews" : "ends") the subscription of \(id.text)")
        do throws(TillError) {
            _ = try await caller.call { (engine) throws(TillError) in
                renews
                    ? try await engine.renewSubscription(id, by: Self.identity)
                    : try await engine.expireSubscription(id, by: Self.identity)
            }
            let action = renews ? "RenewSubscription" : "ExpireSubscription"
            note(.actAnswered(action: action, subject: id.text, identity: nil), queue)
        } catch {
            world.note("operator: this was answered \(error)")
        }
    }

    private func purchases(in queue: QueueName) async -> [Transaction] {
        let list = try? await caller.call { (engine) throws(TillError) in
            try await engine.transactions(in: queue, token: 0, includeFinished: true, limit: Self.pageSize).page
        }
        return (list ?? []).filter { $0.state == .purchased }
    }

    private func refund(in queue: QueueName) async {
        guard let transaction = world.random.element(of: await purchases(in: queue)) else {
            return
        }
        let order = RefundOrder(
            id: world.newID(),
            transactionID: transaction.id,
            quantity: world.random.number(in: 0...transaction.payment.quantity),
            keepsMoney: world.random.chance(200)
        )
        world.note("operator: orders \(order.id.text), a refund of \(order.quantity) of \(transaction.id.text)")
        await carryOut(order, in: queue)
    }

    /// Repeats the order until its outcome is known. Repeating an order has no further effect.
    private func carryOut(_ order: RefundOrder, in queue: QueueName) async {
        var isAnswered = false
        while !Task.isCancelled {
            do throws(TillError) {
                let refund = try await caller.call { (engine) throws(TillError) in
                    try await engine.refund(order, by: Self.identity).0
                }
                note(.actAnswered(action: "Refund", subject: order.transactionID.text, identity: order.id), queue)
                isAnswered = true
                if refund.state == .succeeded {
                    events.insert(.revocation(order.transactionID))
                }
                switch refund.state {
                case .open: break
                case .needsReview: await reviewRefund(order)
                default: return world.note("operator: \(order.id.text) ended as \(refund.state)")
                }
            } catch  where !error.leavesOutcomeUnknown {
                if isAnswered || error.code != .failedPrecondition {
                    world.reportViolation("operator: \(order.id.text) was answered \(error)")
                }
                return world.note("operator: \(order.id.text) was answered \(error)")
            } catch {
                // The next attempt shows the outcome.
            }
            await caller.pause(Self.look)
        }
    }

    /// Notes an act in a queue's history; an act on the whole store goes into the histories of all queues.
    func note(_ fact: Fact, _ queue: QueueName? = nil) {
        for queue in queue.map({ [$0] }) ?? queues {
            world.note(fact, in: queue)
        }
    }
}

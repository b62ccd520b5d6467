import FoundationEssentials
import TillClient
import TillEngine
import TillInvariants
import TillModel

/// One run of a shopper's process: one task follows the queue, others act, and all obey the rules of the client
/// library.
// One thread runs the whole simulation, so no two threads access this.
final class Visit: @unchecked Sendable {
    static let callTimeout = Duration.seconds(5)
    private static let hands = 2
    private static let tick = Duration.milliseconds(200)
    /// The maximum duration of a restore without faults. A restore continues without the process that asked for it.
    private static let restoreMaximum = Duration.seconds(65)

    unowned let shopper: Shopper
    unowned let world: World
    let finished = FinishedTransactions()
    var pending: PendingWork
    var restores = 0
    /// Whether this run has taken all of the shopper's actions.
    private(set) var hasActed = false
    private let client: SimulatedClient
    private let connectors: [Connector<Link, SimulatedClock>]

    init(_ shopper: Shopper) {
        self.shopper = shopper
        let world = shopper.world
        self.world = world
        let client = SimulatedClient(world: world)
        self.client = client
        pending = PendingWork(past: shopper.entries)
        // Some processes have two connections at once.
        connectors = (0..<world.random.number(in: 1...2)).map { _ in client.connector() }
    }

    func start() {
        client.start { await self.follow() }
        client.start { await self.work() }
    }

    /// - Returns: Whether all tasks of the process ended.
    func kill() -> Bool {
        client.kill()
    }

    /// The connector that the stream of changes uses.
    var connector: Connector<Link, SimulatedClock> {
        connectors[0]
    }

    func note(_ fact: Fact) {
        if !Task.isCancelled {
            shopper.note(fact)
        }
    }

    /// Notes that the application was notified of an operator's act.
    func note(_ fact: Fact, of event: StoreEvent) {
        if !Task.isCancelled {
            shopper.note(fact)
            world.noteNotified(event)
        }
    }

    /// Calls the daemon by the rules of the client library: repeats the same request while the daemon is unreachable.
    func call<Value: Sendable>(
        _ work: @escaping @Sendable (PaymentEngine) async throws(TillError) -> Value
    ) async throws(TillError) -> Value {
        let connector = connectors[world.random.below(connectors.count)]
        let deadline = connector.clock.now.advanced(by: Self.callTimeout)
        return try await connector.withSession(until: deadline) { (link, timeout) async throws(TillError) in
            try await link.call(timeout: timeout, work)
        }
    }

    func pause(_ duration: Duration) async {
        await client.pause(duration)
    }

    private func work() async {
        for payment in pending.open {
            await send(payment)
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.hands {
                group.addTask { await self.actAll() }
            }
        }
        hasActed = true
        while !world.isSettling, !Task.isCancelled {
            await finishDue()
            await pause(world.look(every: Self.tick))
        }
        // If a request to restore arrives again after the end of the restore that it joined, it starts another restore.
        if world.hasCopies || shopper.history.hasForgottenRestore {
            await pause(Self.restoreMaximum)
        }
        await clear()
    }

    private func actAll() async {
        while shopper.actionsLeft > 0, !world.isSettling, !Task.isCancelled {
            shopper.actionsLeft -= 1
            await pause(world.random.duration(0...world.profile.pauseMaximum))
            await act()
        }
    }

    private func act() async {
        switch world.random.below(100) {
        case ..<50: await buy()
        case ..<65: await finishDue()
        case ..<73: await repeatAnAdd()
        case ..<78: await sendAConflict()
        case ..<81: await sendAnInvalidPayment()
        case ..<86: await finishTooEarly()
        case ..<89: await cancelPayment()
        case ..<91 where world.profile.subscribes: await changeRenewal()
        case ..<96 where world.profile.payers != nil: await cancelPayment()
        default: await restore()
        }
    }

    /// Finishes the remaining work until the queue is empty and all removals were delivered.
    private func clear() async {
        while !Task.isCancelled {
            for payment in pending.open {
                await send(payment)
            }
            await finishDue()
            if world.endsSubscriptionsEarly {
                _ = await endSubscriptions()
            }
            // This order matters: a payment under way is in the queue first, and renews later.
            if world.isStoreLeftAlone, pending.isClear, await isQueueEmpty(), await endSubscriptions(),
                await world.knowsAllCharges(), pending.isClear, !Task.isCancelled
            {
                return shopper.settle()
            }
            await pause(world.look(every: Self.tick))
        }
    }

    private func finishDue() async {
        for id in pending.finishable {
            await finish(id)
        }
    }

    private func isQueueEmpty() async -> Bool {
        let name = shopper.queue
        let list = try? await call { (engine) throws(TillError) in
            try await engine.transactions(in: name, token: 0, includeFinished: false, limit: 64).page
        }
        return list?.isEmpty ?? false
    }
}

extension History {
    /// Whether a restore may still be under way because the run that asked for it ended first.
    fileprivate var hasForgottenRestore: Bool {
        entries.reduce(into: 0) { open, entry in
            switch entry.fact {
            case .restoreIntended: open += 1
            case .restoreReturned, .restoreThrew: open -= 1
            default: break
            }
        } > 0
    }
}

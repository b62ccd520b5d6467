import FoundationEssentials
import TillClient
import TillEngine
import TillInvariants
import TillModel

/// One run of a shopper's process: a task follows the queue, others act, and all keep to the rules of the client library.
// One thread runs a simulation, so that nothing here is touched by two at once.
final class Visit: @unchecked Sendable {
    static let callTimeout = Duration.seconds(5)
    private static let hands = 2
    private static let tick = Duration.milliseconds(200)
    /// A restore goes on without whoever asked for it, and lasts no longer than this when nothing fails any more.
    private static let restoreMaximum = Duration.seconds(65)

    unowned let shopper: Shopper
    unowned let world: World
    let host: Host
    let finished = FinishedTransactions()
    var desk: Desk
    var restores = 0
    /// Whether it has taken all of the shopper's actions.
    private(set) var hasActed = false
    private let connectors: [SimulatedConnector]

    init(_ shopper: Shopper) {
        self.shopper = shopper
        let world = shopper.world
        self.world = world
        let host = Host(scheduler: world.scheduler, clock: world.clock)
        self.host = host
        desk = Desk(past: shopper.entries)
        // Some processes have two connections at once.
        connectors = (0..<world.random.number(in: 1...2)).map { _ in SimulatedConnector(world: world, time: host.time) }
    }

    func start() {
        host.start { await self.follow() }
        host.start { await self.work() }
    }

    /// - Returns: Whether all of its tasks ended.
    func kill() -> Bool {
        connectors.forEach { $0.close() }
        return host.kill()
    }

    /// The one that the stream of changes uses.
    var connector: SimulatedConnector {
        connectors[0]
    }

    func note(_ fact: Fact) {
        if !Task.isCancelled {
            shopper.note(fact)
        }
    }

    /// Notes that the application was told of an operator's act.
    func note(_ fact: Fact, of event: StoreEvent) {
        if !Task.isCancelled {
            shopper.note(fact)
            world.noteTold(event)
        }
    }

    /// Calls the daemon by the rules of the client library: again with the same request while it cannot be reached.
    func call<Value: Sendable>(
        _ work: @escaping @Sendable (PaymentEngine) async throws(TillError) -> Value
    ) async throws(TillError) -> Value {
        let connector = connectors[world.random.below(connectors.count)]
        let deadline = world.scheduler.now + Self.callTimeout
        while true {
            let link = try await connector.link(until: deadline)
            do {
                return try await link.call(timeout: max(.milliseconds(1), deadline - world.scheduler.now), work)
            } catch  where error.code == .unavailable {
                connector.drop(link)
                guard world.scheduler.now < deadline, !Task.isCancelled else {
                    throw error
                }
            }
        }
    }

    func pause(_ duration: Duration) async {
        try? await host.time.sleep(for: duration)
    }

    private func work() async {
        for payment in desk.open {
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
            await pause(Self.tick)
        }
        // A request for a restore that comes a second time, after the restore that it joined, begins another.
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
        case ..<89: await takeBack()
        case ..<91 where world.profile.subscribes: await changeRenewal()
        default: await restore()
        }
    }

    /// Finishes what is left until the queue is empty and all of it was seen to be removed.
    private func clear() async {
        while !Task.isCancelled {
            for payment in desk.open {
                await send(payment)
            }
            await finishDue()
            // In this order: what is still being bought is in the queue, and then renews.
            if world.isStoreLeftAlone, desk.isClear, await isQueueEmpty(), await haveSubscriptionsEnded(), desk.isClear,
                !Task.isCancelled
            {
                return shopper.settle()
            }
            await pause(Self.tick)
        }
    }

    private func finishDue() async {
        for id in desk.finishable {
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
    /// Whether a restore that was asked for may still be under way: the run that asked was ended before its end.
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

import TillEngine
package import TillInvariants
import TillModel

/// A simulated store, daemon, provider and network with applications that buy. Everything in it follows from a seed.
package struct Simulation {
    /// The maximum number of steps of a schedule, for each of its hosts; a schedule that needs more hangs.
    static let stepsMaximum = 500_000
    /// The maximum time with faults, in simulated time.
    static let faultsMaximum = Duration.seconds(120)
    /// The maximum time that a message is under way after the faults have stopped.
    static let lastMessageMaximum = Duration.seconds(10)
    /// The maximum time that a charge or a refund is under way after the faults have stopped.
    static let lastChargeMaximum = Duration.seconds(150)
    /// The maximum time until everything settles.
    static let restMaximum = Duration.seconds(600)
    /// The same if payers take their time; the machine is awake for so long.
    static let restMaximumWithPayers = Duration.seconds(24 * 3600)
    /// How long faults may still occur while payments wait for their payers.
    static let faultsMaximumWithPayers = Duration.seconds(3600)

    /// The outcome of a schedule.
    package struct Outcome: Sendable {
        package var seed: UInt64
        /// Broken invariants and other forbidden events.
        package var violations: [String] = []
        /// How often each invariant was examined.
        package var examined: [Invariant: Int] = [:]
        package var steps = 0
        /// How often the daemon ended.
        package var restarts = 0
        /// Payments that the provider was asked to charge.
        package var chargeRequests = 0
        /// How many prepared charges had each fate.
        package var preparedCharges: [ChargeFate: Int] = [:]
        package var transactions = 0
        /// Purchases whose receipts were removed after the time that they were kept for.
        package var pruned = 0
        package var advances = ExaminedAdvances()
        package var sharedWork = SharedWork()
        /// A digest that is equal for equal runs.
        package var digest: UInt64 = 0
        /// The events in order, if the trace was kept.
        package var trace: [String] = []
    }

    /// Runs the schedule of a seed.
    ///
    /// - Parameters:
    ///   - hosts: The daemons that share the ledger.
    ///   - flaw: A planted fault, to check that it is found.
    ///   - keepsTrace: Whether to keep a description of each event.
    package static func run(seed: UInt64, hosts: Int = 1, flaw: Flaw? = nil, keepsTrace: Bool = false) -> Outcome {
        let trace = Trace(isKept: keepsTrace)
        let world = World(seed: seed, hosts: hosts, flaw: flaw, trace: trace)
        let scheduler = world.scheduler
        play(world)
        var outcome = Outcome(seed: seed)
        world.end()
        outcome.violations = world.violations + world.book.violations
        examine(world, &outcome)
        outcome.steps = scheduler.steps
        outcome.restarts = world.restarts
        outcome.chargeRequests = world.book.requests
        outcome.preparedCharges = world.book.preparedCharges
        outcome.advances = world.advances
        outcome.sharedWork = world.sharedWork
        outcome.digest = scheduler.digest
        outcome.trace = trace.lines
        return outcome
    }

    private static func play(_ world: World) {
        let scheduler = world.scheduler
        let stepsMaximum = stepsMaximum * world.profile.hosts
        var accidents = Accidents(world.profile, random: &scheduler.random)
        scheduler.beforeStep = { accidents.happen(atStep: $0, world) }
        world.begin()
        scheduler.run(stepsMaximum: stepsMaximum, timeMaximum: faultsMaximum) {
            world.shoppers.allSatisfy(\.hasActed)
        }
        // The work that the shoppers began continues, and may still fail.
        let extra = scheduler.random.below(accidents.distance)
        let hasPayers = world.profile.payers != nil
        scheduler.run(
            stepsMaximum: scheduler.steps + extra,
            timeMaximum: hasPayers ? faultsMaximumWithPayers : faultsMaximum
        ) {
            accidents.areOver
        }
        scheduler.beforeStep = { _ in }
        world.settle()
        let rest = hasPayers ? restMaximumWithPayers : restMaximum
        scheduler.run(stepsMaximum: stepsMaximum, timeMaximum: scheduler.awake + rest) {
            world.isSettled
        }
        if world.profile.isOperated {
            // Shoppers without work may still have to be notified of an operator's act.
            scheduler.run(stepsMaximum: stepsMaximum, timeMaximum: scheduler.awake + lastMessageMaximum) { false }
        }
        if world.profile.subscribes {
            // If a renewal is cancelled during its charge, it may still be paid for; an upgrade may still be refunded.
            scheduler.run(stepsMaximum: stepsMaximum, timeMaximum: scheduler.awake + lastChargeMaximum) { false }
        }
    }

    /// Checks everything that was noted against the books.
    private static func examine(_ world: World, _ outcome: inout Outcome) {
        let histories = world.histories
        let reader = Host(scheduler: world.scheduler, clock: world.clock)
        let result = Box<Books>()
        reader.start {
            result.value = try? await Books(
                ledger: world.disk.durable,
                queues: world.queues,
                histories: histories,
                provider: world.book.charges,
                prices: SimulatedCatalogue.prices
            )
        }
        _ = world.scheduler.drain(reader)
        guard var books = result.value else {
            outcome.violations.append("The books could not be read.")
            return
        }
        books.mayNeedReview = world.profile.mayNeedReview
        books.offers = SimulatedCatalogue.offers
        books.receipts = world.signer.signed
        books.mayBePruned = world.profile.retention != nil
        let verdict = Verdict(histories: histories, books: books)
        outcome.violations += verdict.violations.map(\.description)
        outcome.examined = verdict.examined
        for (reference, charge) in world.book.undecided {
            outcome.violations.append("\(reference) of \(charge.request.paymentID.text) can still be paid")
        }
        for charge in books.charges
        where charge.state == .needsReview && charge.reference != nil && world.profile.payers != nil {
            outcome.violations.append("the charge of \(charge.request.paymentID.text) is still in review")
        }
        outcome.transactions = books.queues.reduce(0) { $0 + $1.transactions.count }
        outcome.pruned = books.queues.reduce(0) { count, queue in
            count + queue.transactions.count { $0.purchasedAt != nil && $0.receipt == nil }
        }
    }
}

// One thread runs the whole simulation, so no two threads access this.
private final class Box<Value>: @unchecked Sendable {
    var value: Value?
}

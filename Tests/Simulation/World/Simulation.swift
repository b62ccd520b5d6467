import TillEngine
package import TillInvariants

/// A simulated store, daemon, provider and network, and applications that buy; everything in it follows from a seed.
package struct Simulation {
    /// Steps that a schedule may take; one that needs more hangs.
    static let stepsMaximum = 500_000
    /// How long the faults last at most, in simulated time.
    static let faultsMaximum = Duration.seconds(120)
    /// How long a message may be under way when nothing fails any more.
    static let lastMessageMaximum = Duration.seconds(10)
    /// How long a charge or a refund may be under way when nothing fails any more.
    static let lastChargeMaximum = Duration.seconds(150)
    /// How long it may then take until everything rests.
    static let restMaximum = Duration.seconds(600)

    /// What became of a schedule.
    package struct Outcome: Sendable {
        package var seed: UInt64
        /// What was found that may never happen.
        package var violations: [String] = []
        /// How often each invariant could have been found broken.
        package var examined: [Invariant: Int] = [:]
        package var steps = 0
        /// Ends of the daemon.
        package var restarts = 0
        /// Payments that the provider was asked to charge.
        package var chargeRequests = 0
        package var transactions = 0
        package var advances = ExaminedAdvances()
        /// Equal for equal runs.
        package var digest: UInt64 = 0
        /// What happened, in order, if it was to be kept.
        package var trace: [String] = []
    }

    /// Runs the schedule of a seed.
    ///
    /// - Parameters:
    ///   - flaw: What is wrong on purpose, to see whether it is found.
    ///   - keepsTrace: Whether to keep what happens, in words.
    package static func run(seed: UInt64, flaw: Flaw? = nil, keepsTrace: Bool = false) -> Outcome {
        let trace = Trace(isKept: keepsTrace)
        let world = World(seed: seed, flaw: flaw, trace: trace)
        let scheduler = world.scheduler
        play(world)
        var outcome = Outcome(seed: seed)
        world.end()
        outcome.violations = world.offences + world.book.offences
        examine(world, &outcome)
        outcome.steps = scheduler.steps
        outcome.restarts = world.restarts
        outcome.chargeRequests = world.book.requests
        outcome.advances = world.advances
        outcome.digest = scheduler.digest
        outcome.trace = trace.lines
        return outcome
    }

    private static func play(_ world: World) {
        let scheduler = world.scheduler
        var accidents = Accidents(world.profile, random: &scheduler.random)
        scheduler.beforeStep = { accidents.happen(atStep: $0, world) }
        world.begin()
        scheduler.run(stepsMaximum: stepsMaximum, timeMaximum: faultsMaximum) {
            world.shoppers.allSatisfy(\.hasActed)
        }
        // What they began goes on meanwhile, and may still fail.
        let extra = scheduler.random.below(Accidents.distanceMaximum)
        scheduler.run(stepsMaximum: scheduler.steps + extra, timeMaximum: faultsMaximum) { accidents.areOver }
        scheduler.beforeStep = { _ in }
        world.settle()
        scheduler.run(stepsMaximum: stepsMaximum, timeMaximum: scheduler.awake + restMaximum) {
            world.isAtRest
        }
        if world.profile.isOperated {
            // Who has nothing to do any more may still have to be told what an operator did.
            scheduler.run(stepsMaximum: stepsMaximum, timeMaximum: scheduler.awake + lastMessageMaximum) { false }
        }
        if world.profile.subscribes {
            // A renewal that was being charged when it was called off may still be paid for, and an upgrade be given back.
            scheduler.run(stepsMaximum: stepsMaximum, timeMaximum: scheduler.awake + lastChargeMaximum) { false }
        }
    }

    /// Holds everything that was noted against everything that is written down.
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
        let verdict = Verdict(histories: histories, books: books)
        outcome.violations += verdict.violations.map(\.description)
        outcome.examined = verdict.examined
        outcome.transactions = books.queues.reduce(0) { $0 + $1.transactions.count }
    }
}

// One thread runs a simulation, so that nothing here is touched by two at once.
private final class Box<Value>: @unchecked Sendable {
    var value: Value?
}

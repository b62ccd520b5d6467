import ArgumentParser
import TillInvariants
import TillSimulation

@main
struct Simulate: AsyncParsableCommand {
    /// A run of at least this many schedules must examine each invariant.
    static let schedulesOfAllInvariants: UInt64 = 1000
    static let jobsMaximum = 64

    static let configuration = CommandConfiguration(
        commandName: "till-simulate",
        abstract: "Run simulated schedules and check that every promise holds.",
        discussion: """
            Each seed is a schedule: the real engine on a ledger that loses unflushed changes, a provider and a network \
            that fail, applications that buy, and one thread on which the seed chooses the next step. The same seed gives the \
            same schedule. Failing seeds are printed with their failures; --replay shows every event of a seed.
            """
    )

    @Option(help: ArgumentHelp("Run this many schedules.", valueName: "number"))
    var seeds: UInt64 = 1000

    @Option(help: ArgumentHelp("Start with this seed.", valueName: "seed"))
    var first: UInt64 = 1

    @Option(help: ArgumentHelp("Run this many schedules at the same time.", valueName: "number"))
    var jobs = 1

    @Option(help: ArgumentHelp("Stop after this many failing seeds.", valueName: "number"))
    var failures = 10

    @Option(help: ArgumentHelp("Show every event of this seed's schedule.", valueName: "seed"))
    var replay: UInt64?

    func validate() throws {
        guard seeds > 0, first <= UInt64.max - seeds, (1...Self.jobsMaximum).contains(jobs), failures > 0 else {
            throw ValidationError("Use at least 1 seed, at least 1 failure, and 1 to \(Self.jobsMaximum) jobs.")
        }
    }

    func run() async throws {
        CurrentSeeds.showWhenTrapped()
        if let replay {
            try show(replay)
        } else {
            try await runAll()
        }
    }

    private func show(_ seed: UInt64) throws {
        CurrentSeeds.set(seed, ofJob: 0)
        let outcome = Simulation.run(seed: seed, keepsTrace: true)
        outcome.trace.forEach(Console.write)
        Console.write("seed \(seed): \(outcome.steps) steps, digest \(String(outcome.digest, radix: 16))")
        outcome.violations.forEach(Console.write)
        if !outcome.violations.isEmpty {
            throw ExitCode.failure
        }
    }

    private func runAll() async throws {
        let clock = ContinuousClock()
        let start = clock.now
        let tally = await Tally.run(first..<(first + seeds), jobs: jobs, failuresMaximum: failures)
        tally.print(time: clock.now - start)
        guard tally.failures == 0 else {
            throw ExitCode.failure
        }
        let unexamined = Tally.invariants.filter { tally.examined[$0] == nil }
        let mayMiss = tally.schedules < Self.schedulesOfAllInvariants
        guard mayMiss ? unexamined.count < Tally.invariants.count : unexamined.isEmpty else {
            Console.write("Invariants never examined: \(unexamined.map(\.rawValue).joined(separator: ", ")).")
            throw ExitCode.failure
        }
        let unseen = ChargeFate.allCases.filter { tally.preparedCharges[$0, default: 0] == 0 && !mayMiss }
        guard unseen.isEmpty else {
            Console.write("No prepared charges were: \(unseen.map(\.rawValue).joined(separator: "; ")).")
            throw ExitCode.failure
        }
        let missing = tally.advances.counts.filter { $0.count == 0 && !mayMiss }
        guard missing.isEmpty else {
            Console.write("Clock advances never examined: \(missing.map { $0.kind }.joined(separator: ", ")).")
            throw ExitCode.failure
        }
    }
}

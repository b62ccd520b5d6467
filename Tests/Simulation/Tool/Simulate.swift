import ArgumentParser
import TillInvariants
import TillSimulation

@main
struct Simulate: AsyncParsableCommand {
    /// A run of at least this many schedules must examine each invariant.
    static let schedulesOfAllInvariants: UInt64 = 1000
    static let jobsMaximum = 64
    static let hostsMaximum = 8

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

    @Option(help: ArgumentHelp("Let so many daemons share the ledger; they are paused, too.", valueName: "number"))
    var hosts = 1

    @Option(help: ArgumentHelp("Stop after this many failing seeds.", valueName: "number"))
    var failures = 10

    @Option(help: ArgumentHelp("Show every event of this seed's schedule.", valueName: "seed"))
    var replay: UInt64?

    func validate() throws {
        guard seeds > 0, first <= UInt64.max - seeds, (1...Self.jobsMaximum).contains(jobs), failures > 0 else {
            throw ValidationError("Use at least 1 seed, at least 1 failure, and 1 to \(Self.jobsMaximum) jobs.")
        }
        guard (1...Self.hostsMaximum).contains(hosts) else {
            throw ValidationError("Use 1 to \(Self.hostsMaximum) hosts.")
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
        let outcome = Simulation.run(seed: seed, hosts: hosts, keepsTrace: true)
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
        let tally = await Tally.run(first..<(first + seeds), hosts: hosts, jobs: jobs, failuresMaximum: failures)
        tally.print(time: clock.now - start)
        guard tally.failures == 0 else {
            throw ExitCode.failure
        }
        guard tally.schedules >= Self.schedulesOfAllInvariants else {
            return
        }
        let missing = tally.missing(hosts: hosts)
        guard missing.isEmpty else {
            Console.write("Never: \(missing.joined(separator: "; ")).")
            throw ExitCode.failure
        }
    }
}

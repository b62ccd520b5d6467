import TillInvariants
import TillSimulation

/// The totals of many schedules.
struct Tally: Sendable {
    private static let batch = 50
    /// The invariants that a run must examine: all except those of hosted content, which no simulated store has.
    static let invariants = Invariant.allCases.filter { !Invariant.ofContent.contains($0) }
    private static let violationsShown = 5

    private(set) var schedules: UInt64 = 0
    private(set) var failures = 0
    private(set) var examined: [Invariant: Int] = [:]
    private(set) var advances = ExaminedAdvances()
    private(set) var sharedWork = SharedWork()
    private var steps = 0
    private var restarts = 0
    private var chargeRequests = 0
    private(set) var preparedCharges: [ChargeFate: Int] = [:]
    private var transactions = 0
    private(set) var pruned = 0

    /// Runs the schedules, several at a time, and prints the failing ones.
    static func run(_ seeds: Range<UInt64>, hosts: Int, jobs: Int, failuresMaximum: Int) async -> Tally {
        await withTaskGroup(of: (Int, Tally).self) { group in
            var next = seeds.lowerBound
            func add(_ job: Int) {
                let batch = next..<min(seeds.upperBound, next + UInt64(Self.batch))
                next = batch.upperBound
                if !batch.isEmpty {
                    group.addTask { (job, run(batch, hosts: hosts, job: job)) }
                }
            }
            (0..<jobs).forEach(add)
            var total = Tally()
            for await (job, tally) in group {
                total.add(tally)
                Console.showProgress("\(total.schedules) of \(seeds.count) schedules, \(total.failures) failed")
                if total.failures < failuresMaximum {
                    add(job)
                }
            }
            Console.endProgress()
            return total
        }
    }

    private static func run(_ seeds: Range<UInt64>, hosts: Int, job: Int) -> Tally {
        var tally = Tally()
        for seed in seeds {
            CurrentSeeds.set(seed, ofJob: job)
            let outcome = Simulation.run(seed: seed, hosts: hosts)
            tally.add(outcome)
            if !outcome.violations.isEmpty {
                let violations = outcome.violations.prefix(violationsShown).map { "\n  \($0)" }.joined()
                Console.write("seed \(seed) fails; show it with --replay \(seed)\(violations)")
            }
        }
        return tally
    }

    private mutating func add(_ outcome: Simulation.Outcome) {
        schedules += 1
        failures += outcome.violations.isEmpty ? 0 : 1
        examined.merge(outcome.examined, uniquingKeysWith: +)
        advances.add(outcome.advances)
        sharedWork.add(outcome.sharedWork)
        steps += outcome.steps
        restarts += outcome.restarts
        chargeRequests += outcome.chargeRequests
        preparedCharges.merge(outcome.preparedCharges, uniquingKeysWith: +)
        transactions += outcome.transactions
        pruned += outcome.pruned
    }

    private mutating func add(_ other: Tally) {
        schedules += other.schedules
        failures += other.failures
        examined.merge(other.examined, uniquingKeysWith: +)
        advances.add(other.advances)
        sharedWork.add(other.sharedWork)
        steps += other.steps
        restarts += other.restarts
        chargeRequests += other.chargeRequests
        preparedCharges.merge(other.preparedCharges, uniquingKeysWith: +)
        transactions += other.transactions
        pruned += other.pruned
    }

    /// What a long run should have met and has not.
    func missing(hosts: Int) -> [String] {
        let fates = ChargeFate.allCases.filter { preparedCharges[$0, default: 0] == 0 }
        return Self.invariants.filter { examined[$0] == nil }.map(\.rawValue)
            + (hosts == 1 ? fates.map { "prepared charges \($0.rawValue)" } : Self.unmet(sharedWork.counts))
            + Self.unmet(advances.counts).map { "clock advances \($0)" } + (pruned == 0 ? ["pruned transactions"] : [])
    }

    private static func unmet(_ counts: [(kind: String, count: Int)]) -> [String] {
        counts.filter { $0.count == 0 }.map(\.kind)
    }

    /// - Parameter time: The duration of the whole run.
    func print(time: Duration) {
        let rate = Double(schedules) / (time / .seconds(1))
        Console.write(
            """
            schedules        \(schedules) in \(Int(time / .seconds(1))) s, \(Int(rate)) a second
            steps            \(steps)
            daemon restarts  \(restarts)
            transactions     \(transactions), \(pruned) pruned
            charge requests  \(chargeRequests)
            """
        )
        for fate in ChargeFate.allCases {
            Console.write("prepared charges \(fate.rawValue): \(preparedCharges[fate] ?? 0)")
        }
        for invariant in Self.invariants {
            Console.write("examined         \(invariant.rawValue): \(examined[invariant] ?? 0)")
        }
        for (kind, count) in advances.counts {
            Console.write("clock advances   \(kind): \(count)")
        }
        for (kind, count) in sharedWork.counts {
            Console.write("of several hosts \(kind): \(count)")
        }
        Console.write("failing seeds    \(failures)")
    }
}

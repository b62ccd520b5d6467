package import ProcessTesting
package import TestValues
import TillInvariants

/// A kill run in which the wall clock of all programs jumps by years and at critical moments.
package struct ClockRun {
    /// The maximum time from the jump to the end of a payment whose provider must be queried again.
    private static let patience = Duration.seconds(30)
    /// One in this many jumps happens while a customer waits for a payment.
    private static let watchedShare = 3

    private let site: Site
    private let clock: WallClock
    private let customer: PatientCustomer
    private var run: KillRun
    private var random: SplitMix64
    package private(set) var jumps = 0
    package private(set) var longestWait = Duration.zero
    package private(set) var findings = Findings()

    package var ends: [String: Int] {
        run.crew.ends
    }

    package init(site: Site, random: SplitMix64) async throws {
        self.site = site
        self.random = random
        clock = try await WallClock(site: site)
        customer = PatientCustomer(site: site)
        var plan = CrewPlan.standard
        plan.environment = clock.environment
        plan.mayNeedReview = true
        run = try KillRun(site: site, plan: plan, random: SplitMix64(seed: random.seed ^ 1))
    }

    /// Makes the clock jump, and then kills a process.
    package mutating func round() async throws {
        let offset = ClockJump.random(&random)
        if Int.random(in: 0..<Self.watchedShare, using: &random) == 0 {
            let wait = try await customer.buy(within: Self.patience) { try clock.set(offset: offset) }
            longestWait = max(longestWait, wait ?? Self.patience)
            if wait == nil {
                findings.fail("a payment did not end after the clock was set to \(offset) from the machine's clock")
            }
        } else {
            try clock.set(offset: offset)
        }
        jumps += 1
        try await run.round()
    }

    /// Settles, and checks.
    package mutating func settle() async throws {
        let history = await customer.history()
        for unsettled in try await run.settle() {
            findings.fail("\(unsettled)")
        }
        var mark = BooksMark()
        findings.add(try await run.crew.verdict(since: &mark, with: [history]), of: "seed \(random.seed)")
        let integrity = try await site.integrity()
        if integrity != ["ok"] {
            findings.fail("\(integrity)")
        }
    }
}

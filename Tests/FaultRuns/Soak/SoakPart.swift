import Glibc
import ProcessTesting
import TestValues

/// One daemon and its applications in a soak.
struct SoakPart {
    private let plan: SoakPlan
    private let faults: [SoakFault]
    /// Whether the daemon runs from the start to the end without a restart.
    private let isSteady: Bool
    private let startedAt = ContinuousClock.now
    let site: Site
    let clock: WallClock
    let disk: SmallDisk?
    var crew: Crew
    var random: SplitMix64
    var report: SoakReport
    private var mark = BooksMark()

    init(name: String, site: Site, plan: SoakPlan, faults: [SoakFault], clock: WallClock, disk: SmallDisk?) throws {
        self.site = site
        self.plan = plan
        self.faults = faults
        self.clock = clock
        self.disk = disk
        isSteady = !faults.contains(.killDaemon)
        random = SplitMix64(seed: plan.seed &+ UInt64(name.utf8.count))
        report = SoakReport(name: name)
        crew = try Crew(site: site, plan: Self.crewPlan(plan, clock, isSteady: isSteady), seed: random.seed)
    }

    /// Makes the plan of the crew. The provider's record is in memory, so a part whose memory is measured charges few
    /// payments.
    private static func crewPlan(_ plan: SoakPlan, _ clock: WallClock, isSteady: Bool) -> CrewPlan {
        var crew = CrewPlan.standard
        crew.environment = clock.environment
        crew.workerOptions += ["--pace", "\(plan.pace)"]
        if isSteady {
            crew.workerOptions += ["--seldom", TestStore.coins, "--seldom", TestStore.timeoutAfter[0]]
        }
        return crew
    }

    mutating func run(_ progress: @Sendable (String) -> Void) async throws -> SoakReport {
        let end = startedAt + plan.duration
        while true {
            let epochEnd = min(end, .now + plan.epoch)
            while ContinuousClock.now < epochEnd {
                await moment(before: epochEnd)
                try await causeFault()
                note(isIdle: false)
            }
            try await settle()
            progress("\(report.name): \(report.epochs) epochs, \(report.faults.values.reduce(0, +)) faults")
            guard report.findings.isClean, ContinuousClock.now < end else {
                break
            }
            if !isSteady {
                try crew.startDaemon()
            }
            try crew.beginEpoch()
        }
        if isSteady {
            try await crew.stopDaemon()
        }
        report.ends = crew.ends
        site.keep(if: report.findings)
        return report
    }

    /// Waits for a random time with an exponential distribution, as between independent events.
    private mutating func moment(before end: ContinuousClock.Instant) async {
        let wait = -log(Double.random(in: 0.001...1, using: &random)) * (plan.faultInterval / .seconds(1))
        await Alarm.after(min(.seconds(wait), max(.zero, end - .now)))
    }

    private mutating func causeFault() async throws {
        guard let fault = faults.randomElement(using: &random) else {
            return
        }
        try await cause(fault)
        report.faults[fault.rawValue, default: 0] += 1
    }

    /// Settles, and checks everything since the last check.
    private mutating func settle() async throws {
        let unsettled = isSteady ? await crew.settleWorkers() : try await crew.settle()
        note(isIdle: true)
        let verdict = try await crew.verdict(since: &mark)
        report.epochs += 1
        report.findings.add(verdict, of: "\(report.name), epoch \(report.epochs)")
        if let first = unsettled.first {
            report.findings.fail("\(report.name), epoch \(report.epochs): \(first)")
        }
        let integrity = isSteady ? ["ok"] : try await site.integrity()
        if integrity != ["ok"] {
            report.findings.fail("\(report.name), epoch \(report.epochs): \(integrity)")
        }
    }

    private mutating func note(isIdle: Bool) {
        if isSteady, let usage = ProcessUsage(of: crew.daemon) {
            report.usage.note(usage, at: .now - startedAt, isIdle: isIdle)
        }
    }
}

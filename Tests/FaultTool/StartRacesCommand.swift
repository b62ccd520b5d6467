import ArgumentParser
import FaultRuns
import ProcessTesting
import TestValues
import TillInvariants

struct StartRacesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start-races",
        abstract: "Start several daemons at once, and one with many payments."
    )

    @Option(help: "Start several daemons at once this many times.")
    var races: Int

    @Option(help: "Kill a daemon with this many payments; 0 skips this.")
    var payments = 100_000

    @Option(help: "Kill and restart that daemon this many times.")
    var restarts = 20

    @OptionGroup var options: RunOptions

    func run() async throws {
        let random = options.random
        print("Start races: \(races); repeat them with --seed \(random.seed)")
        let count = races
        let run = try await Site.with { site in
            var run = StartRaces(site: site, random: random)
            while run.races < count, run.findings.isClean {
                try await run.race()
                Progress.show("\(run.races) of \(count) races")
            }
            return run
        }
        var findings = run.findings
        var figures = Figures()
        figures.add("races", run.races)
        figures.add("with", run.daemons)
        figures.add("serving daemon", run.starts)
        if payments > 0 {
            try await restart(&figures, &findings)
        }
        try Conclusion.print(figures, findings, unexamined: run.races == 0 ? Invariant.allCases : [])
    }

    private func restart(_ figures: inout Figures, _ findings: inout Findings) async throws {
        let (payments, restarts) = (payments, restarts)
        let times = try await Site.with { site in
            let crowd = CrowdedStart(site: site)
            try await crowd.fill(payments: payments)
            var times: [(answer: Duration, payment: Duration)] = []
            for _ in 0..<restarts {
                times.append(try await crowd.restart())
                Progress.show("\(times.count) of \(restarts) restarts")
            }
            return times
        }
        figures.add("restarts with \(payments) payments under way", times.count)
        let answers = times.map(\.answer).sorted()
        if let last = answers.last {
            figures.add("first answer, median", answers[answers.count / 2])
            figures.add("first answer, at most", last)
            figures.add("first payment added, at most", times.map(\.payment).max() ?? .zero)
            if last > CrowdedStart.limit {
                findings.fail("the first answer after a kill took \(last)")
            }
        }
    }
}

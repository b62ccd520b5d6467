import ProcessTesting
import TestValues

/// Makes each system call that a daemon needs fail, one after another, in several scenarios.
package struct IOFaults: Sendable {
    /// The number of daemons that run at the same time.
    package var concurrency = 2
    /// The maximum number of runs; nil for all cases.
    package var runsMaximum: Int?
    package var scenarios = IOScenario.allCases
    /// The system calls to which the faults are limited; nil for all.
    package var calls: Set<String>?
    let seed: UInt64
    let progress: @Sendable (String) -> Void

    private struct Case: Sendable {
        var scenario: IOScenario
        var fault: IOFault
    }

    package init(seed: UInt64, progress: @escaping @Sendable (String) -> Void) {
        self.seed = seed
        self.progress = progress
    }

    package func run() async throws -> IOFaultReport {
        try await withTemplates(scenarios) { templates in
            var cases: [Case] = []
            for (scenario, template) in templates {
                var counts: [String: Int] = [:]
                for isServing in [false, true] {
                    let counted = try await Site.with { site in
                        let run = IORun(site: site, scenario: scenario, seed: seed)
                        try run.take(template)
                        return try await run.count(whileServing: isServing)
                    }
                    counts.merge(counted) { $1 }
                }
                cases += faults(counts).map { Case(scenario: scenario, fault: $0) }
            }
            return try await run(choose(cases), templates)
        }
    }

    /// Lists the faults of every call at every place, each once and permanently.
    private func faults(_ counts: [String: Int]) -> [IOFault] {
        IOFault.kinds.filter { calls?.contains($0.call) ?? true }.flatMap { call, kinds in
            kinds.flatMap { kind in
                (1...max(1, counts[call] ?? 0)).flatMap { number in
                    [false, true].map { IOFault(call: call, kind: kind, number: number, isSticky: $0) }
                }
            }
        }
    }

    private func choose(_ cases: [Case]) -> [Case] {
        var random = SplitMix64(seed: seed)
        return Array(cases.shuffled(using: &random).prefix(runsMaximum ?? .max))
    }

    private func run(_ cases: [Case], _ templates: [(IOScenario, Site)]) async throws -> IOFaultReport {
        let templates = Dictionary(uniqueKeysWithValues: templates)
        return try await Site.with { tools in
            let library = try await PreloadLibrary.failingCalls.compile(at: tools)
            return try await withThrowingTaskGroup(of: (Case, IORun.Report).self) { group in
                var report = IOFaultReport(cases: cases.count)
                var waiting = cases[...]
                for _ in 0..<concurrency {
                    add(waiting.popFirst(), to: &group, templates, library)
                }
                while let (done, run) = try await group.next() {
                    report.add(run, of: done.scenario, done.fault)
                    progress("\(report.runs) of \(cases.count) runs, \(report.findings.messages.count) broken")
                    add(waiting.popFirst(), to: &group, templates, library)
                }
                return report
            }
        }
    }

    private func add(
        _ next: Case?,
        to group: inout ThrowingTaskGroup<(Case, IORun.Report), any Error>,
        _ templates: [IOScenario: Site],
        _ library: String
    ) {
        guard let next, let template = templates[next.scenario] else {
            return
        }
        group.addTask {
            let report = try await Site.with { site in
                let run = IORun(site: site, scenario: next.scenario, seed: seed)
                try run.take(template)
                let report = try await run.run(next.fault, preloading: library)
                site.keep(if: report.findings)
                return report
            }
            return (next, report)
        }
    }

    /// Makes the site with which each scenario begins.
    private func withTemplates<Value: Sendable>(
        _ scenarios: [IOScenario],
        _ templates: [(IOScenario, Site)] = [],
        _ body: ([(IOScenario, Site)]) async throws -> Value
    ) async throws -> Value {
        guard let scenario = scenarios.first else {
            return try await body(templates)
        }
        return try await Site.with { site in
            try scenario.prepareContent(at: site)
            try await scenario.prepareState(at: site, seed: seed)
            return try await withTemplates(Array(scenarios.dropFirst()), templates + [(scenario, site)], body)
        }
    }
}

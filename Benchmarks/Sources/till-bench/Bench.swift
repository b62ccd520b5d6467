import Foundation

/// Measures the peers in turns, and prints a table for each load.
struct Bench {
    let workspace: Workspace
    let plan: Plan
    let progress = Progress()

    func run() throws -> Report {
        var report = Report(skipped: plan.skipped.map { Report.Skipped(peer: $0.name, reason: $0.reason) })
        print("\(report.date), \(report.processors) processors, \(report.system)")
        for skipped in plan.skipped {
            print("skipped \(skipped.name): \(skipped.reason)")
        }
        for scenario in plan.scenarios {
            let peers = plan.peers.filter { $0.scenarios.contains(scenario) }
            for peer in peers {
                try peer.prepare(workspace)
            }
            for shape in plan.shapes ?? scenario.shapes {
                let table = try measure(scenario, shape, peers)
                report.tables.append(table)
                print(table.text, terminator: "\n\n")
            }
            for peer in peers {
                print("\(peer.name): \(peer.promise(in: scenario))")
            }
            print()
        }
        for trial in plan.trials {
            let table = measure(trial)
            report.trials.append(table)
            print(table.text, terminator: "\n\n")
        }
        return report
    }

    private func measure(_ trial: any Trial) -> TrialTable {
        progress.show("\(trial.name): \(trial.title)")
        var quantities: [Quantity] = []
        var failure: String?
        do {
            quantities = try trial.measure(workspace, repetitions: plan.repetitions)
        } catch {
            failure = "\(error)"
        }
        progress.clear()
        return TrialTable(
            trial: trial.name,
            title: trial.title,
            repetitions: plan.repetitions,
            quantities: quantities,
            failure: failure
        )
    }

    private func measure(_ scenario: Scenario, _ shape: Shape, _ peers: [any Peer]) throws -> ResultTable {
        let able = peers.filter { $0.refusal(of: shape, in: scenario) == nil }
        var figures: [String: [Figures]] = [:]
        var failures: [String: String] = [:]
        for repetition in 1...plan.repetitions {
            for peer in able where failures[peer.name] == nil {
                progress.show("\(scenario.rawValue), \(shape.title(of: scenario)): \(peer.name) \(repetition)")
                do {
                    figures[peer.name, default: []].append(try measure(peer, scenario, shape))
                } catch let error as BenchError {
                    failures[peer.name] = error.description
                }
            }
        }
        progress.clear()
        let rows = peers.map { peer in
            ResultTable.Row(
                peer: peer.name,
                runs: figures[peer.name] ?? [],
                note: failures[peer.name] ?? peer.refusal(of: shape, in: scenario),
                isFailure: failures[peer.name] != nil
            )
        }
        return ResultTable(
            scenario: scenario,
            shape: shape,
            seconds: workspace.seconds,
            repetitions: plan.repetitions,
            slowFlush: workspace.slowFlush,
            rows: rows
        )
    }

    /// Measures one run. An error contains the last line that the server printed.
    private func measure(_ peer: any Peer, _ scenario: Scenario, _ shape: Shape) throws -> Figures {
        let run = try Run(workspace, scenario, shape)
        defer { run.end() }
        let output: Data
        do {
            output = try workspace.processes.output(of: try peer.start(run))
        } catch let error as BenchError {
            throw BenchError([error.description, run.lastLine].compactMap { $0 }.joined(separator: " "))
        }
        guard let report = try? LoadReport(output) else {
            throw BenchError("The client of \(peer.name) printed no figures.")
        }
        return try Figures(report, samples: run.samples)
    }
}

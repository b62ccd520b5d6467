import ArgumentParser
import Foundation

@main
struct TillBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "till-bench",
        abstract: "Measure Till beside other queues, logs and RPC systems.",
        discussion: """
            Each run starts its peer with an empty state, measures it with a client in a separate process, and stops it. \
            The peers take turns, and the tables have the medians of all repetitions. Scenarios: \(Plan.scenarioList).
            """
    )

    @OptionGroup var options: BenchOptions

    func run() throws {
        let workspace = try Workspace(options)
        let interruption = Interruption(workspace)
        defer {
            workspace.close()
            interruption.end()
        }
        let bench = Bench(workspace: workspace, plan: try Plan(options, tools: workspace.tools))
        let report = try bench.run()
        if let path = options.json {
            try report.write(to: path)
        }
        if report.hasFailures {
            throw ExitCode.failure
        }
    }
}

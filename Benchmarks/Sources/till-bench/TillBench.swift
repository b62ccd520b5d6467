import ArgumentParser
import Foundation

@main
struct TillBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "till-bench",
        abstract: "Measure Till side by side with other queues, logs and calls.",
        discussion: """
            Each peer is started for each run with an empty state, measured by a client in a process of its own, and \
            stopped. The peers take turns, and the tables have the medians of all repetitions.
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

import ArgumentParser
import TillDaemon
import TillEngine
import TillModel
import TillOutput

struct Reconcile: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compare a stopped daemon's ledger with the provider's record.",
        discussion: """
            Exit status: 0 they agree, 1 they do not agree, 73 the state directory cannot be used, 74 the ledger is \
            damaged or the output cannot be written.
            """
    )

    @Option(help: .init("Read the ledger in this directory.", valueName: "dir"))
    var state: String

    @Flag(help: "Print one JSON object for each charge.")
    var json = false

    func run() async throws {
        let report: Reconciliation
        do {
            report = try await LedgerReport.reconcile(stateDirectory: state)
        } catch let error as TillError {
            throw Failure(error)
        }
        do {
            try print(report)
        } catch let error as TillError {
            throw Failure(output: error)
        }
        if !report.agrees {
            throw ExitCode(1)
        }
    }

    private func print(_ report: Reconciliation) throws {
        for row in report.rows {
            let line = ReconciliationLine(row: row.summary)
            try StandardOutput.write(json ? try line.json.text() : line.text)
        }
        if !json {
            try StandardOutput.write(ReconciliationLine.verdict(agrees: report.agrees, compared: report.rows.count))
        }
    }
}

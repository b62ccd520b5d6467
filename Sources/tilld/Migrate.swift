import ArgumentParser
import Foundation
import TillDaemon
import TillModel
import TillOutput
import TillSQL

struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Move a stopped daemon's ledger to PostgreSQL, or back.",
        discussion: """
            One place is a state directory, the other the address of a database. This command copies the ledger, compares \
            every table of both, and marks the old ledger as moved, so that no daemon uses it. The other files of the state \
            directory stay where they are. After an interruption, run the same command again.

            Exit status: 0 moved, 65 the places are invalid, 73 one of the places cannot be used, 74 the ledger is \
            damaged or the output cannot be written, 75 the database cannot be reached.
            """
    )

    @Option(
        help: .init("Move the ledger of this state directory or database.", valueName: "place"),
        completion: .directory
    )
    var from: String

    @Option(
        help: .init("Move it to this database or state directory.", valueName: "place"),
        completion: .directory
    )
    var to: String

    @Flag(help: "Print one JSON object with the counts and digests of all tables.")
    var json = false

    func run() throws {
        let line = ProgressLine()
        let outcome: LedgerMigration.Outcome
        do {
            outcome = try StateMigration.run(from: from, to: to) { line.show($0.text) }
            line.show("")
        } catch let error as TillError {
            line.show("")
            throw Failure(error)
        }
        do {
            try print(outcome)
        } catch let error as TillError {
            throw Failure(output: error)
        }
    }

    private func print(_ outcome: LedgerMigration.Outcome) throws {
        guard !json else {
            return try StandardOutput.write(outcome.json.text())
        }
        for table in outcome.tables {
            try StandardOutput.write("\(table.table): \(table.rowCount) rows, SHA-256 \(table.sha256.hexadecimal)")
        }
        try StandardOutput.write("audit log: \(outcome.auditCount) entries verified")
        try StandardOutput.write("moved: ledger \(outcome.ledgerID.text) is now in \(to)")
    }
}

extension LedgerMigration.Progress {
    fileprivate var text: String {
        switch work {
        case .copying: "\(table): \(rowCount) rows copied"
        case .comparing: "\(table): \(rowCount) rows compared"
        }
    }
}

extension LedgerMigration.Outcome {
    fileprivate var json: JSONObject {
        [
            "ledger_id": ledgerID, "audit_entries": auditCount,
            "tables": JSONObject(
                tables.map {
                    ($0.table, JSONObject(dictionaryLiteral: ("rows", $0.rowCount), ("sha256", $0.sha256.hexadecimal)))
                }
            ),
        ]
    }
}

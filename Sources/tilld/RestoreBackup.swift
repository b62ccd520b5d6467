import ArgumentParser
import Foundation
import TillDaemon
import TillModel
import TillOutput

struct RestoreBackup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore-backup",
        abstract: "Put a backup into a new state directory, and check it.",
        discussion: """
            This command restores a file that till backup wrote, as the user of the daemon, while no daemon uses the \
            directory. What was bought after the backup is not in it. Then it checks the state as tilld check does.

            Exit status: 0 restored, without damage; 1 restored, but damaged; 65 the file is not a complete backup, 73 \
            the state directory cannot be used, 74 the ledger cannot be read or the output cannot be written.
            """
    )

    @Argument(help: .init("The file of the backup.", valueName: "file"), completion: .file())
    var file: String

    @Option(help: .init("Restore into this directory, which is empty or missing.", valueName: "dir"))
    var state: String

    @Flag(help: "Print one JSON object for the backup, and for each finding and part.")
    var json = false

    func run() async throws {
        let isIntact: Bool
        do {
            let outcome = try StateRestore.run(file: file, stateDirectory: state)
            try print(outcome)
            isIntact = try await StateCheck.run(stateDirectory: state, report: CheckPrinter(json: json).print)
        } catch let error as TillError {
            throw Failure(error)
        }
        if !isIntact {
            throw ExitCode(1)
        }
    }

    private func print(_ outcome: StateRestore.Outcome) throws {
        let date = outcome.date.formatted(.iso8601)
        let keys = outcome.hasKeys ? "with its keys" : "without keys: the daemon will make new ones"
        let text = "restored: ledger \(outcome.ledgerID.text) of \(date), \(keys)"
        let object: JSONObject = [
            "ledger_id": outcome.ledgerID, "date": outcome.date, "with_keys": outcome.hasKeys,
        ]
        do {
            try StandardOutput.write(json ? try object.text() : text)
        } catch let error as TillError {
            throw Failure(output: error)
        }
    }
}

import ArgumentParser
import TillDaemon
import TillModel
import TillOutput

struct Ledger: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prepare a database for the ledger, continue a restored one, or compact the ledger's file.",
        subcommands: [LedgerInit.self, LedgerNewTimeline.self, LedgerCompact.self]
    )
}

struct LedgerInit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make the ledger's tables and grant roles their rights.",
        discussion: """
            Connect as the role that is to own the tables. The daemon's role may then change rows, and neither tables nor \
            anything else. An application's role may only call till.finish(uuid), which finishes a transaction of the \
            application within the role's own database transaction. A missing role is created without a password. Run it \
            again after an upgrade of Till: it makes what is missing, in one transaction, and says what is in place.

            Exit status: 0 everything is in place, 64 wrong usage, 65 the address or the role cannot be used, 73 the \
            database cannot be prepared, 74 the output cannot be written, 75 PostgreSQL cannot be reached.
            """
    )

    @Option(help: .init("Connect to this database as the owner of the tables.", valueName: "address"))
    var ledger: String

    @Option(help: .init("Grant this role what the daemon needs.", valueName: "name"))
    var daemonRole: String?

    @Option(
        help: .init(
            "Let a role finish transactions of an application. Stop the daemon before the first such role. Repeatable.",
            valueName: "role=application"
        )
    )
    var applicationRole: [String] = []

    @Flag(help: "Print the SQL instead of running it.")
    var printSql = false

    func run() throws {
        let lines: [String]
        do {
            lines = try DatabaseSetup.run(
                address: ledger,
                daemonRole: daemonRole,
                applicationRoles: applicationRole,
                printsSQL: printSql
            )
        } catch {
            throw Failure(error)
        }
        do {
            for line in lines {
                try StandardOutput.write(line)
            }
        } catch {
            throw Failure(output: error)
        }
    }
}

struct LedgerNewTimeline: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new-timeline",
        abstract: "Continue a ledger in PostgreSQL whose database was restored from an older copy.",
        discussion: """
            Run it once after the restore, as the daemon's role or the owner of the tables, before a daemon starts. Clients may \
            have seen changes that the copy does not have. They are told everything again, as at their first start, and new \
            transactions get identifiers that were never given before. Then use till reconcile, which finds the charges that the \
            copy lacks. A standby that was promoted needs no new timeline. For the ledger in a file, tilld restore-backup does \
            the same.

            Exit status: 0 the new timeline has begun, 64 wrong usage, 65 the address cannot be used, 73 the ledger cannot be \
            used, 74 the output cannot be written, 75 PostgreSQL cannot be reached.
            """
    )

    @Option(help: .init("Continue the ledger in this database.", valueName: "address"))
    var ledger: String

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let id: String
        do {
            id = try DatabaseSetup.beginTimeline(address: ledger).text
        } catch {
            throw Failure(error)
        }
        let object: JSONObject = ["ledger_id": id]
        do {
            try StandardOutput.write(json ? try object.text() : "a new timeline begins: ledger \(id)")
        } catch let error as TillError {
            throw Failure(output: error)
        }
    }
}

struct LedgerCompact: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Give the free room in the ledger's file back to the disk.",
        discussion: """
            Run it as the daemon's user while the daemon is stopped, after retention has removed receipts and histories. It writes \
            the rows into a new file, which takes the ledger's place at the end; the disk needs room for both. A crash leaves the \
            ledger as it was, or compacted. PostgreSQL uses free room by itself.

            Exit status: 0 the ledger is compacted, 64 wrong usage, 73 the state directory cannot be used, 74 the ledger is \
            damaged or the output cannot be written.
            """
    )

    @Option(help: .init("Compact the ledger in this directory.", valueName: "dir"))
    var state: String

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let sizes: (before: Int, after: Int)
        do {
            sizes = try LedgerCompaction.run(stateDirectory: state)
        } catch let error as TillError {
            throw Failure(error)
        }
        let object: JSONObject = ["bytes_before": sizes.before, "bytes_after": sizes.after]
        let text = "compacted: \(sizes.before) bytes before, \(sizes.after) bytes after"
        do {
            try StandardOutput.write(json ? try object.text() : text)
        } catch let error as TillError {
            throw Failure(output: error)
        }
    }
}

import ArgumentParser
import Foundation
import Glibc
import TillDaemon
import TillModel

@main
struct Tilld: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tilld",
        abstract: "The payment queue's daemon: keeps transactions on disk and charges for them exactly once.",
        discussion: """
            Every option may also be set by an environment variable (--allow-users is TILL_ALLOW_USERS) and in the \
            file that --config names (JSON, "allow-users"). Options win over variables, variables over the file.

            Exit status: 0 stopped when asked, 64 usage, 65 a catalogue cannot be used, 71 it hung, 73 the state directory, \
            the content directory or the socket cannot be used, 74 the ledger could not be written, 78 configuration.
            """,
        version: Daemon.version,
        subcommands: [Serve.self, Reconcile.self],
        defaultSubcommand: Serve.self
    )

    /// Begins on the main thread, for there may be none for Swift's pool.
    @MainActor static func main() async {
        ProcessSetup.harden()
        do {
            try startWatchdog()
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let failure as Failure {
            FileHandle.standardError.write(Data("tilld: \(failure.message)\n".utf8))
            Foundation.exit(failure.status)
        } catch {
            exit(withError: error)
        }
    }

    private static func startWatchdog() throws(Failure) {
        do {
            try Watchdog.start()
        } catch {
            throw Failure(status: EX_OSERR, error.message)
        }
    }
}

import ArgumentParser
import Foundation
import Glibc
import TillDaemon
import TillModel

@main
struct Tilld: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tilld",
        abstract: "The payment queue daemon: stores transactions and charges exactly once.",
        discussion: """
            Every option of serve except --log-level is also an environment variable (--allow-users is TILL_ALLOW_USERS) \
            and, except --config, a key of the JSON file that --config names ("allow-users"). Options override variables, \
            and variables override the file.

            Exit status: 0 stopped on a signal, 64 wrong usage, 65 a catalogue cannot be used, 71 too few threads or too \
            little memory, or the daemon hung, 73 the state directory, the content directory or the socket cannot be used, \
            74 the ledger or the output could not be written, or a file of the daemon was removed, 75 Stripe cannot be \
            reached at the first start, or PostgreSQL at any, 78 wrong configuration.
            """,
        version: Daemon.version,
        subcommands: [Serve.self, Reconcile.self, Check.self, RestoreBackup.self, Ledger.self, Migrate.self],
        defaultSubcommand: Serve.self
    )

    /// Starts on the main thread, because the system may allow no threads for Swift's pool.
    @MainActor static func main() async {
        StopSignals.holdBack()
        ProcessSetup.harden()
        StandardOutput.holdClosedStreams()
        do {
            try startWatchdog()
            guard let arguments = ProcessArguments.asText else {
                throw Failure(status: EX_USAGE, "An argument is not valid UTF-8.")
            }
            var command = try parseAsRoot(arguments)
            if !(command is Serve) {
                StopSignals.letThrough()
            }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let failure as Failure {
            end(with: failure)
        } catch {
            end(with: error)
        }
    }

    private static func end(with failure: Failure) -> Never {
        try? FileHandle.standardError.write(contentsOf: Data("tilld: \(failure.message)\n".utf8))
        Foundation.exit(failure.status)
    }

    /// Prints the parser's help, or its error about the command line, and exits.
    private static func end(with error: any Error) -> Never {
        let text = fullMessage(for: error)
        if exitCode(for: error).isSuccess, !text.isEmpty {
            do {
                try StandardOutput.write(text)
            } catch {
                end(with: Failure(output: error))
            }
            Foundation.exit(EXIT_SUCCESS)
        }
        exit(withError: error)
    }

    private static func startWatchdog() throws(Failure) {
        do {
            try Watchdog.start()
            try ProcessSetup.checkRoom()
        } catch {
            throw Failure(status: EX_OSERR, error.message)
        }
    }
}

package import ArgumentParser
import TillModel

/// The command `till`.
package struct Till: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "till",
        abstract: "Use the payment queue of the daemon tilld.",
        discussion: """
            Exit status: 0 success, 1 a bad result such as a failed purchase, 64 wrong usage, 65 bad data, 69 the \
            daemon cannot be reached, 70 an internal error, 74 the output cannot be written, 77 not permitted, 130 or \
            143 SIGINT or SIGTERM ended a wait. The manual page till(1) has more.
            """,
        version: TillVersion.text,
        groupedSubcommands: [
            CommandGroup(
                name: "Buying",
                subcommands: [
                    ProductsVerb.self, BuyVerb.self, CancelVerb.self, TransactionsVerb.self, WatchVerb.self,
                    FinishVerb.self, RestoreVerb.self, EntitlementsVerb.self, SubscriptionsVerb.self,
                    PaymentMethodCommand.self, DownloadsVerb.self, ReceiptCommand.self,
                ]
            ),
            CommandGroup(
                name: "Approval",
                subcommands: [
                    AgentVerb.self, RequestsVerb.self, ApproveVerb.self, DeclineVerb.self, PaymentPageVerb.self,
                ]
            ),
            CommandGroup(
                name: "Operator",
                subcommands: [
                    FindVerb.self, WhyVerb.self, ResolveVerb.self, RefundVerb.self, RevokeVerb.self, ExpireVerb.self,
                    RenewVerb.self, AutoRenewVerb.self, PriceIncreaseCommand.self, PromoteVerb.self,
                    SettingsVerb.self, ClockVerb.self, ReconcileVerb.self, AuditVerb.self, HostsVerb.self,
                    ConsoleVerb.self, TopVerb.self, BackupVerb.self, ExportVerb.self,
                ]
            ),
            CommandGroup(name: "Other", subcommands: [InitVerb.self, StatusVerb.self, CatalogueCommand.self]),
        ]
    )

    /// The application of verbs that use no queue, unless the user names one.
    static let application = "till"

    @OptionGroup var common: CommonOptions

    package init() {}
}

extension Till {
    /// Runs the command with the process's arguments, and returns the exit status.
    package static func run(_ console: Console) async -> ExitStatus {
        guard let arguments = ProcessArguments.asText else {
            console.complain("till: An argument is not valid UTF-8. See till --help.")
            return .usage
        }
        return await run(arguments, console)
    }

    /// Runs the command with the arguments, and returns the exit status.
    package static func run(_ arguments: [String], _ console: Console) async -> ExitStatus {
        do {
            let command = try parseAsRoot(arguments)
            guard let verb = command as? any Verb else {
                // Without a verb, or for the verb help, the command prints its help.
                var command = command
                try command.run()
                return .done
            }
            try await verb.run(console)
            return .done
        } catch {
            return end(with: error, console)
        }
    }

    private static func end(with error: any Error, _ console: Console) -> ExitStatus {
        if let failure = error as? CommandFailure {
            failure.message.map(console.notice)
            return failure.status
        }
        if error is CancellationError {
            return .done
        }
        guard exitCode(for: error).isSuccess else {
            console.notice("\(message(for: error).asSentence) See till --help.")
            return .usage
        }
        // Help and completion scripts are errors of the parser, and output of the command.
        do {
            try console.print(fullMessage(for: error))
            return .done
        } catch {
            return .outputFailed
        }
    }
}

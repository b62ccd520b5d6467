package import ArgumentParser
import TillModel

/// The command `till`.
package struct Till: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "till",
        abstract: "Use a payment queue that tilld keeps.",
        discussion: """
            Exit status: 0 done, 1 a bad end such as a failed purchase, 64 usage, 65 bad data, 69 the daemon cannot be \
            reached, 70 a fault, 74 the output cannot be written, 77 not permitted, 130 and 143 a wait was \
            ended by SIGINT or SIGTERM. The manual page till(1) has more.
            """,
        version: TillVersion.text,
        groupedSubcommands: [
            CommandGroup(
                name: "Buying",
                subcommands: [
                    ProductsVerb.self, BuyVerb.self, CancelVerb.self, TransactionsVerb.self, WatchVerb.self,
                    FinishVerb.self, RestoreVerb.self, EntitlementsVerb.self, SubscriptionsVerb.self,
                    DownloadsVerb.self, ReceiptCommand.self,
                ]
            ),
            CommandGroup(
                name: "Question",
                subcommands: [AgentVerb.self, RequestsVerb.self, ApproveVerb.self, DeclineVerb.self]
            ),
            CommandGroup(
                name: "Operator",
                subcommands: [
                    FindVerb.self, WhyVerb.self, ResolveVerb.self, RefundVerb.self, RevokeVerb.self, ExpireVerb.self,
                    RenewVerb.self, AutoRenewVerb.self, PriceIncreaseCommand.self, PromoteVerb.self,
                    SettingsVerb.self, ClockVerb.self, ReconcileVerb.self, AuditVerb.self,
                ]
            ),
            CommandGroup(name: "Other", subcommands: [StatusVerb.self, CatalogueCommand.self]),
        ]
    )

    /// The application of verbs that concern no queue, when none is named.
    static let application = "till"

    @OptionGroup var common: CommonOptions

    package init() {}
}

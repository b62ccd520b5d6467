package import ArgumentParser

/// The command `till`.
package struct Till: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "till",
        abstract: "Use a payment queue that tilld keeps.",
        discussion: """
            Exit status: 0 done, 1 the purchase or restore failed, 64 usage, 65 bad data, 69 the daemon cannot be \
            reached, 70 a fault, 74 the output cannot be written, 77 not permitted. The manual page till(1) has more.
            """,
        subcommands: [
            ProductsVerb.self, BuyVerb.self, TransactionsVerb.self, WatchVerb.self, FinishVerb.self, RestoreVerb.self,
            StatusVerb.self, CatalogueCommand.self,
        ]
    )

    /// The application of verbs that concern no queue, when none is named.
    static let application = "till"

    @OptionGroup var common: CommonOptions

    package init() {}
}

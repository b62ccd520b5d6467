import ArgumentParser
import TillClient

struct ResolveVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Resolve an interrupted purchase, or a charge whose outcome is unknown.",
        discussion: """
            For operators. An interrupted purchase goes on. Of a charge that needs review, --charged or --not-charged \
            says what the provider's own records show.

            Example: till resolve 0199d2a4 --charged ch_1234 --reason 'Found in the dashboard.'
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var transaction: TransactionArgument

    @Flag(name: .customLong("charged"), help: "The provider did charge; its name for the charge may follow the id.")
    var wasCharged = false

    @Flag(name: .customLong("not-charged"), help: "The provider did not charge.")
    var wasNotCharged = false

    @Argument(help: ArgumentHelp("With --charged, the provider's name for the charge.", valueName: "reference"))
    var chargeReference: String?

    @OptionGroup var reason: ReasonOption

    func validate() throws {
        guard !(wasCharged && wasNotCharged) else {
            throw ValidationError("Give --charged or --not-charged, not both.")
        }
        guard wasCharged || chargeReference == nil else {
            throw ValidationError("A charge's reference goes with --charged.")
        }
    }

    /// What was found out; nil for an interruption.
    var review: ReviewOutcome? {
        if wasCharged {
            .charged(reference: chargeReference)
        } else if wasNotCharged {
            .notCharged
        } else {
            nil
        }
    }

    func run(_ console: Console) async throws {
        try await changing { store in
            let id = try await transaction.id(store)
            let resolved = try await store.resolve(id, review: review, because: reason.recorded)
            try console.print(TransactionLine(transaction: resolved), asJSON: common.json)
        }
    }
}

import ArgumentParser
import TillClient
import TillOutput

struct FindVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find transactions of all applications and accounts.",
        discussion: """
            For operators. The oldest transactions come first. $TILL_APPLICATION does not restrict the search; only \
            --application does.

            Example: till find --account uid:1000 --attention needs-review
            """
    )

    @OptionGroup var common: CommonOptions

    @Option(help: ArgumentHelp("Find only this account, such as uid:1000.", valueName: "account"))
    var account: String?

    @Option(help: ArgumentHelp("Find only this product.", valueName: "product"))
    var product: String?

    @Option(help: ArgumentHelp("Find only this state.", valueName: "state"))
    var state: CaseArgument<TransactionState>?

    @Option(help: ArgumentHelp("Find only transactions that may need an operator.", valueName: "what"))
    var attention: CaseArgument<TransactionFilter.Attention>?

    func validate() throws {
        try Self.check(account, "--account")
        try Self.check(product, "--product")
    }

    var filter: TransactionFilter {
        TransactionFilter(
            application: common.application,
            account: account,
            productID: product,
            state: state?.value,
            attention: attention?.value
        )
    }

    func run(_ console: Console) async throws {
        try await withOperator(console) { store in
            let list = store.transactions(matching: filter)
            try await console.print(list: list, asJSON: common.json, FoundTransactionLine.init)
        }
    }

    /// Refuses an empty name, which the protocol would treat as no restriction.
    private static func check(_ text: String?, _ name: String) throws {
        if let text, text.isEmpty {
            throw ValidationError("Empty \(name): use a name, or omit the option.")
        }
    }
}

struct WhyVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Explain a transaction's state, history and safe actions.",
        discussion: """
            For operators. The last part lists commands that are safe in the current state.

            Example: till why 0199d2a4
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var transaction: TransactionArgument

    func run(_ console: Console) async throws {
        try await withOperator(console) { store in
            let explanation = try await store.explanation(ofTransaction: try await transaction.id(store))
            try console.print(ExplanationOutput(explanation: explanation), asJSON: common.json)
        }
    }
}

struct ResolveVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Resolve an interrupted purchase or a charge with unknown outcome.",
        discussion: """
            For operators. An interrupted purchase continues. For a charge that needs review, --charged or \
            --not-charged states what the provider's own records show.

            Example: till resolve 0199d2a4 --charged ch_1234 --reason 'Found in the dashboard.'
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var transaction: TransactionArgument

    @Flag(name: .customLong("charged"), help: "The provider charged; its reference may follow the id.")
    var wasCharged = false

    @Flag(name: .customLong("not-charged"), help: "The provider did not charge.")
    var wasNotCharged = false

    @Argument(help: ArgumentHelp("The provider's reference for the charge, with --charged.", valueName: "reference"))
    var chargeReference: String?

    @OptionGroup var reason: ReasonOption

    func validate() throws {
        guard !(wasCharged && wasNotCharged) else {
            throw ValidationError("Use --charged or --not-charged, not both.")
        }
        guard wasCharged || chargeReference == nil else {
            throw ValidationError("Unexpected reference: use it only with --charged.")
        }
    }

    /// The operator's finding about an unknown charge; nil for an interruption.
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
        try await changing(console) { store in
            let id = try await transaction.id(store)
            let resolved = try await store.resolve(id, review: review, because: reason.recorded)
            try console.print(TransactionLine(transaction: resolved), asJSON: common.json)
        }
    }
}

struct PromoteVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "promote",
        abstract: "Offer a promoted purchase to an application.",
        discussion: """
            For operators. The application decides whether to add the payment, now or when it next runs.

            Example: till promote org.example.notes.pro --account uid:1000 --application org.example.notes
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: "The product's identifier.")
    var product: String

    @Option(help: ArgumentHelp("The paying account.", valueName: "account"))
    var account: String

    @Option(help: ArgumentHelp("The quantity, 1 to 10.", valueName: "number"))
    var quantity = 1

    @OptionGroup var reason: ReasonOption

    func validate() throws {
        try Payment.check(quantity: quantity)
        guard !account.isEmpty else {
            throw ValidationError("Empty --account: use a name such as uid:1000.")
        }
    }

    func run(_ console: Console) async throws {
        let application = try common.application(console)
        let payment = Payment(productID: product, quantity: quantity)
        try await changing(console) { store in
            try await store.promote(payment, toApplication: application, account: account, because: reason.recorded)
            let line = PromotedLine(payment: payment, application: application, account: account)
            try console.print(line, asJSON: common.json)
        }
    }
}

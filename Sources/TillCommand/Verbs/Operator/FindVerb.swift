import ArgumentParser
import TillClient

struct FindVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "List transactions of all applications and accounts, the oldest first.",
        discussion: """
            For operators. Only --application restricts the list to one, and $TILL_APPLICATION does not.

            Example: till find --account uid:1000 --attention needs-review
            """
    )

    @OptionGroup var common: CommonOptions

    @Option(help: ArgumentHelp("Only of this account, such as uid:1000.", valueName: "account"))
    var account: String?

    @Option(help: ArgumentHelp("Only of this product.", valueName: "product"))
    var product: String?

    @Option(help: ArgumentHelp("Only in this state.", valueName: "state"))
    var state: CaseArgument<TransactionState>?

    @Option(help: ArgumentHelp("Only what an operator may have to act on.", valueName: "what"))
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
        try await withOperator { store in
            for try await found in store.transactions(matching: filter) {
                try console.print(FoundTransactionLine(found: found), asJSON: common.json)
            }
        }
    }

    /// Nothing at all stands for everything, which is not what an empty name says.
    private static func check(_ text: String?, _ name: String) throws {
        if let text, text.isEmpty {
            throw ValidationError("\(name) needs a name.")
        }
    }
}

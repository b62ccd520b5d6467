import ArgumentParser
import TillClient

struct WhyVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Explain a transaction: what it waits for, what happened, and what can be done.",
        discussion: """
            For operators. The last part lists commands that are safe in the present state.

            Example: till why 0199d2a4
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var transaction: TransactionArgument

    func run(_ console: Console) async throws {
        try await withOperator { store in
            let explanation = try await store.explanation(ofTransaction: try await transaction.id(store))
            try console.print(ExplanationOutput(explanation: explanation), asJSON: common.json)
        }
    }
}

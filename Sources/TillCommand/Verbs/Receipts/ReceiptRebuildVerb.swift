import ArgumentParser
import TillClient

struct ReceiptRebuildVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "rebuild",
        abstract: "Sign a transaction anew from what the ledger holds.",
        discussion: """
            For operators, as after the loss of the keys.

            Example: till receipt rebuild 0199d2a4 --reason 'New keys.'
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var transaction: TransactionArgument

    @OptionGroup var reason: ReasonOption

    func run(_ console: Console) async throws {
        try await changing { store in
            let id = try await transaction.id(store)
            let rebuilt = try await store.rebuildReceipt(of: id, because: reason.recorded)
            try console.print(TransactionLine(transaction: rebuilt), asJSON: common.json)
        }
    }
}

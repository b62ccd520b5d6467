import ArgumentParser
import TillClient

struct PromoteVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "promote",
        abstract: "Offer a payment to an application, as the store does with a promoted purchase.",
        discussion: """
            For operators. The application is asked whether to add the payment, now or when it runs again.

            Example: till promote org.example.notes.pro --account uid:1000 --application org.example.notes
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: "The product's identifier.")
    var product: String

    @Option(help: ArgumentHelp("Who pays.", valueName: "account"))
    var account: String

    @Option(help: ArgumentHelp("How many of it, 1 to 10.", valueName: "number"))
    var quantity = 1

    @OptionGroup var reason: ReasonOption

    func validate() throws {
        guard Payment.quantityRange.contains(quantity) else {
            let range = Payment.quantityRange
            throw ValidationError("The quantity must be \(range.lowerBound) to \(range.upperBound).")
        }
        guard !account.isEmpty else {
            throw ValidationError("--account needs a name, such as uid:1000.")
        }
    }

    func run(_ console: Console) async throws {
        let application = try common.application(console)
        let payment = Payment(productID: product, quantity: quantity)
        try await changing { store in
            try await store.promote(payment, toApplication: application, account: account, because: reason.recorded)
            let line = PromotedLine(payment: payment, application: application, account: account)
            try console.print(line, asJSON: common.json)
        }
    }
}

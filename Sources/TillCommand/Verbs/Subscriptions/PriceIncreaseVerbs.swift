import ArgumentParser
import FoundationEssentials
import TillClient

struct PriceIncreaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "price-increase",
        abstract: "Request or answer consent to a price increase.",
        subcommands: [
            PriceIncreaseRequestVerb.self, PriceIncreaseAgreeVerb.self, PriceIncreaseDeclineVerb.self,
        ]
    )

    @OptionGroup var common: CommonOptions
}

struct PriceIncreaseRequestVerb: SubscriptionVerb {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Announce a price increase, and ask for consent.",
        discussion: """
            For operators. Without --price, the new price is the catalogue's.

            Example: till price-increase request 0199d2a4 --price 5.99
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var transaction: TransactionArgument

    @OptionGroup var reason: ReasonOption

    @Option(
        help: ArgumentHelp("The new price in major units, such as 5.99.", valueName: "amount"),
        transform: DecimalAmount.parse
    )
    var price: Decimal?

    func change(_ id: UUID, _ store: TillOperator) async throws(TillError) -> SubscriptionStatus {
        try await store.requestPriceConsent(id, amount: price, because: reason.recorded)
    }
}

struct PriceIncreaseAgreeVerb: SubscriptionVerb {
    static let configuration = CommandConfiguration(
        commandName: "agree",
        abstract: "Agree to a price increase for the account.",
        discussion: """
            For operators. The account itself answers with till approve.

            Example: till price-increase agree 0199d2a4
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var transaction: TransactionArgument

    @OptionGroup var reason: ReasonOption

    func change(_ id: UUID, _ store: TillOperator) async throws(TillError) -> SubscriptionStatus {
        try await store.answerPriceConsent(id, agrees: true, because: reason.recorded)
    }
}

struct PriceIncreaseDeclineVerb: SubscriptionVerb {
    static let configuration = CommandConfiguration(
        commandName: "decline",
        abstract: "Decline a price increase for the account.",
        discussion: """
            For operators. The account itself answers with till decline.

            Example: till price-increase decline 0199d2a4
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var transaction: TransactionArgument

    @OptionGroup var reason: ReasonOption

    func change(_ id: UUID, _ store: TillOperator) async throws(TillError) -> SubscriptionStatus {
        try await store.answerPriceConsent(id, agrees: false, because: reason.recorded)
    }
}

/// The format of an amount of money in an argument: digits, optionally with a decimal point and more digits.
enum DecimalAmount {
    /// The longest amount, in characters.
    static let charactersMaximum = 20

    static func parse(_ text: String) throws -> Decimal {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        }
        guard areDigits, parts.count <= 2, text.utf8.count <= charactersMaximum, let amount = Decimal(string: text)
        else {
            throw ValidationError("use an amount with a decimal point, for example 5.99")
        }
        return amount
    }
}

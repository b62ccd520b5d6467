import ArgumentParser

struct PriceIncreaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "price-increase",
        abstract: "Ask for consent to a higher price of a subscription, or answer for the account.",
        subcommands: [
            PriceIncreaseRequestVerb.self, PriceIncreaseAgreeVerb.self, PriceIncreaseDeclineVerb.self,
        ]
    )

    @OptionGroup var common: CommonOptions
}

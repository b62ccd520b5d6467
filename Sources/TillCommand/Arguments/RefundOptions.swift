import ArgumentParser
import TillClient

/// What `refund` and `revoke` take.
struct RefundOptions: ParsableArguments {
    @OptionGroup var transaction: TransactionArgument

    @Option(help: ArgumentHelp("How many of the payment's quantity; by default all that is left.", valueName: "number"))
    var quantity: Int?

    @Option(help: ArgumentHelp("Whose fault it is, which the application is told.", valueName: "cause"))
    var cause = CaseArgument(Revocation.Reason.other)

    @Option(
        help: ArgumentHelp("Repeats the order of this identity, whose outcome is unknown.", valueName: "uuid"),
        transform: IdentityArgument.parse
    )
    var refundID: IdentityArgument?

    @OptionGroup var reason: ReasonOption

    func validate() throws {
        if let quantity, !Payment.quantityRange.contains(quantity) {
            let range = Payment.quantityRange
            throw ValidationError("The quantity must be \(range.lowerBound) to \(range.upperBound).")
        }
    }
}

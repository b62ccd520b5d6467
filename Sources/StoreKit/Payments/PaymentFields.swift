import Foundation

/// The values of a payment, which determine equality.
struct PaymentValues: Hashable {
    var productIdentifier = ""
    var requestData: Data?
    var quantity = 1
    var applicationUsername: String?
    var simulatesAskToBuyInSandbox = false
    var discount: DiscountValues?
}

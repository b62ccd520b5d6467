import Foundation

/// What a payment says: what makes two payments equal.
struct PaymentFields: Hashable {
    var productIdentifier = ""
    var requestData: Data?
    var quantity = 1
    var applicationUsername: String?
    var simulatesAskToBuyInSandbox = false
    var discount: DiscountFields?
}

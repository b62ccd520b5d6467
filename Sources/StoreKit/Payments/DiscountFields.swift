import Foundation

/// The values of a signed discount.
struct DiscountValues: Hashable, Sendable {
    var identifier = ""
    var keyIdentifier = ""
    var nonce = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var signature = ""
    /// Milliseconds since 1970.
    var timestamp: Int64 = 0
}

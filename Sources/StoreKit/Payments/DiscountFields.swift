import Foundation

/// What a signed discount says.
struct DiscountFields: Hashable, Sendable {
    var identifier = ""
    var keyIdentifier = ""
    var nonce = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var signature = ""
    /// Milliseconds since 1970.
    var timestamp: Int64 = 0
}

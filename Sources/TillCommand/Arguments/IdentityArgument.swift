import FoundationEssentials

/// A whole UUID, as an argument: of a payment, a refund or a restore.
struct IdentityArgument: ArgumentText, Hashable, Sendable {
    let uuid: UUID

    static let rule = "write a whole UUID"

    init?(argument: String) {
        guard let uuid = UUID(uuidString: argument) else {
            return nil
        }
        self.uuid = uuid
    }
}

import Foundation

/// A restore that the application asked for.
struct RestoreOrder: Sendable {
    var id: UUID
    var applicationUsername: String?
    /// How often the registry had told of transactions before.
    var tellings: Int
    /// Whether the daemon has it.
    var isBegun = false
}

import ArgumentParser
import FoundationEssentials

/// The identity of a payment, as an argument.
struct PaymentID: ExpressibleByArgument, Hashable, Sendable {
    let uuid: UUID

    init?(argument: String) {
        guard let uuid = UUID(uuidString: argument) else {
            return nil
        }
        self.uuid = uuid
    }
}

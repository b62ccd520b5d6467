package import FoundationEssentials

/// An action of an application's process, or information that it received, as the process writes it into its history.
///
/// An intent is written before its call; an outcome is written after the process learned it.
package enum Fact: Hashable, Sendable, Codable {
    case runStarted(processID: Int32)
    case runEnded
    case ledger(UUID)
    /// Everything that the process began has settled, and its queue is empty.
    case settled

    /// From here on the payment's identity belongs to the application, even if the process crashes.
    case addIntended(PaymentNote)
    case addAcknowledged(Sighting)
    /// The code guarantees that nothing happened.
    case addRefused(id: UUID, code: UInt32)
    /// Another payment was sent under a taken identity; nil for the code means that it was accepted.
    case conflictAnswered(id: UUID, code: UInt32?)

    /// The process is about to read a new sequence of changes, which has this number within the run.
    case observing(sequence: Int)
    case connected(sequence: Int)
    case disconnected(sequence: Int)
    case initialDeliveryEnded(sequence: Int)
    /// - asked: the time at which the process asked for the change, on the history's clock.
    case delivered(sequence: Int, asked: UInt64, Sighting)
    case removed(sequence: Int, Sighting)
    /// A restore ended; the count is nil if it failed.
    case restoreEnded(sequence: Int, restore: UUID, count: Int?)

    case finishIntended(id: UUID)
    case finishAcknowledged(id: UUID)
    case finishRefused(id: UUID, code: UInt32)

    case restoreIntended(number: Int, username: String?)
    case restoreReturned(number: Int, count: Int)
    case restoreThrew(number: Int, reason: String)

    /// The application was notified that all or a part of a purchase was refunded.
    case revoked(sequence: Int, id: UUID)
    /// The store asked the application to buy this payment, which the application may decline.
    case offered(sequence: Int, PaymentNote)
    /// An operator promoted this payment, and the daemon confirmed it.
    case promoted(PaymentNote)
    /// The application was notified of the store's current country, by its ISO 3166-1 code.
    case storefrontChanged(sequence: Int, country: String)
    /// An operator moved the store to this country, and the daemon confirmed it.
    ///
    /// - asked: the time of the operator's request, on the history's clock.
    case storefrontMoved(country: String, asked: UInt64)
    /// An approver is about to agree to a higher price, in minor units, of the subscription that this payment began.
    case priceAgreed(payment: UUID, amount: Int64, currency: String)

    /// The application was notified that the download is complete and in its place.
    case downloadFinished(DownloadNote)
    /// The daemon confirmed an operator's act.
    ///
    /// - identity: the act's own identity, if the same act may be sent again.
    case actAnswered(action: String, subject: String, identity: UUID?)
}

package import FoundationEssentials

/// One thing that a process of an application did or was told, as it writes it into its history.
///
/// An intent is written before its call is made, an outcome after it was learnt.
package enum Fact: Hashable, Sendable, Codable {
    case runStarted(processID: Int32)
    case runEnded
    case ledger(UUID)
    /// Everything that the process began has come to its end, and its queue is empty.
    case settled

    /// The payment's identity is the application's own from here on, whatever happens to the process.
    case addIntended(PaymentNote)
    case addAcknowledged(Sighting)
    /// With a code after which nothing has happened.
    case addRefused(id: UUID, code: UInt32)
    /// Another payment was sent under an identity that is taken; nil for a code means that it was let in.
    case conflictAnswered(id: UUID, code: UInt32?)

    /// A new sequence of changes is about to be read; it has this number within the run.
    case observing(sequence: Int)
    case connected(sequence: Int)
    case disconnected(sequence: Int)
    case initialDeliveryEnded(sequence: Int)
    /// - asked: when the process asked for the change, on the history's clock.
    case delivered(sequence: Int, asked: UInt64, Sighting)
    case removed(sequence: Int, Sighting)
    /// The end of a restore; no count for one that failed.
    case restoreEnded(sequence: Int, restore: UUID, count: Int?)

    case finishIntended(id: UUID)
    case finishAcknowledged(id: UUID)
    case finishRefused(id: UUID, code: UInt32)

    case restoreIntended(number: Int, username: String?)
    case restoreReturned(number: Int, count: Int)
    case restoreThrew(number: Int, reason: String)

    /// The application was told that a purchase was taken back, all or a part.
    case revoked(sequence: Int, id: UUID)
    /// The store asked the application to buy this, which it may.
    case offered(sequence: Int, PaymentNote)
    /// An operator had the store ask for this, and was answered that it will.
    case promoted(PaymentNote)
    /// The application was told that the store is in this country now, by its code of ISO 3166-1.
    case storefrontChanged(sequence: Int, country: String)
    /// An operator had the store move to this country, and was answered that it has.
    ///
    /// - asked: when the operator gave the order, on the history's clock.
    case storefrontMoved(country: String, asked: UInt64)
    /// Somebody is about to agree to a higher price of the subscription that this payment began, in minor units.
    case priceAgreed(payment: UUID, amount: Int64, currency: String)

    /// The application was told that the download is whole and in its place.
    case downloadFinished(DownloadNote)
    /// What an operator did was answered as done.
    ///
    /// - identity: The order's own, when the same may be sent again.
    case actAnswered(action: String, subject: String, identity: UUID?)
}

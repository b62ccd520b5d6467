import TillModel

/// An enumeration whose cases programs and people know by the words of their names.
protocol CaseNamed: CaseIterable {}

extension CaseNamed {
    /// For programs: `needsReview` is `needs_review`.
    var name: String {
        words(separator: "_")
    }

    /// For people: `needsReview` is `needs review`.
    var title: String {
        words(separator: " ")
    }

    func words(separator: String) -> String {
        "\(self)".reduce(into: "") { text, character in
            text += character.isUppercase ? separator + character.lowercased() : String(character)
        }
    }
}

extension AuthorizationRequest.Kind: CaseNamed {}
extension Blocker: CaseNamed {}
extension ChargeSummary.State: CaseNamed {}
extension DownloadError.Reason: CaseNamed {}
extension DownloadState: CaseNamed {}
extension ExpirationReason: CaseNamed {}
extension FailureReason: CaseNamed {}
extension HistoryEntry.Kind: CaseNamed {}
extension PriceConsent: CaseNamed {}
extension ReconciliationRow.Finding: CaseNamed {}
extension RefundSummary.State: CaseNamed {}
extension RestoreState: CaseNamed {}
extension Revocation.Reason: CaseNamed {}
extension SubscriptionOffer.OfferType: CaseNamed {}
extension SubscriptionOffer.PaymentMode: CaseNamed {}
extension SubscriptionState: CaseNamed {}
extension TransactionFilter.Attention: CaseNamed {}
extension TransactionState: CaseNamed {}

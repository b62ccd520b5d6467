import FoundationEssentials

/// What the provider is called for: an intent that is in the ledger before the first call.
protocol ProviderCall {
    /// How often the provider was called for it without a clear answer.
    var attempts: Int { get }
    var createdAt: Date { get }
}

extension ChargeRecord: ProviderCall {}
extension RefundRecord: ProviderCall {}

public import FoundationEssentials
public import TillModel
import TillWire

/// Each names a subscription by any of its transactions.
extension TillOperator {
    /// Ends a subscription now.
    @discardableResult
    public func expireSubscription(_ id: UUID, because reason: String) async throws(TillError) -> SubscriptionStatus {
        try await act(.expireSubscription, on: id, reason)
    }

    /// Begins the next period of a subscription now.
    @discardableResult
    public func renewSubscription(_ id: UUID, because reason: String) async throws(TillError) -> SubscriptionStatus {
        try await act(.renewSubscription, on: id, reason)
    }

    /// Says whether a subscription goes on after the period that is paid for.
    @discardableResult
    public func setAutoRenew(
        _ id: UUID,
        to isOn: Bool,
        because reason: String
    ) async throws(TillError) -> SubscriptionStatus {
        try await act(isOn ? .enableAutoRenew : .disableAutoRenew, on: id, reason)
    }

    /// Announces a higher price of a subscription to its account, and asks for consent.
    ///
    /// - Parameter amount: The new price in the currency's major unit; nil for the catalogue's.
    @discardableResult
    public func requestPriceConsent(
        _ id: UUID,
        amount: Decimal? = nil,
        because reason: String
    ) async throws(TillError) -> SubscriptionStatus {
        let request = RequestPriceConsentRequest(transactionID: id, reason: reason, amount: amount)
        let response: SubscriptionActionResponse = try await change(.requestPriceConsent, request)
        return response.status
    }

    /// Says for the account whether it agrees to a higher price.
    @discardableResult
    public func answerPriceConsent(
        _ id: UUID,
        agrees: Bool,
        because reason: String
    ) async throws(TillError) -> SubscriptionStatus {
        let request = AnswerPriceConsentRequest(transactionID: id, reason: reason, agrees: agrees)
        let response: SubscriptionActionResponse = try await change(.answerPriceConsent, request)
        return response.status
    }

    private func act(
        _ method: OperatorMethod,
        on id: UUID,
        _ reason: String
    ) async throws(TillError) -> SubscriptionStatus {
        let request = SubscriptionActionRequest(transactionID: id, reason: reason)
        let response: SubscriptionActionResponse = try await change(method, request)
        return response.status
    }
}

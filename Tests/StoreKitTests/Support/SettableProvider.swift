import FoundationEssentials
import TillEngine
import TillModel

/// A provider like the simulated store's, so that the store's settings and clock can be changed; it has no settings of
/// its own.
struct SettableProvider: AdjustableProvider {
    private let base: any PaymentProvider

    init(_ base: any PaymentProvider) {
        self.base = base
    }

    var settings: [Setting] { [] }

    func checkSetting(_ name: String, _ value: String) throws(TillError) {
        throw TillError(.invalidArgument, "There is no setting \(name).")
    }

    func changeSetting(_ name: String, to value: String?) throws(TillError) {
        throw TillError(.invalidArgument, "There is no setting \(name).")
    }

    var payerDeadline: Duration? {
        base.payerDeadline
    }

    func news(after cursor: String?) async throws(TillError) -> ProviderNews? {
        try await base.news(after: cursor)
    }

    func payerPage(_ request: ChargeRequest, by reference: String) async throws(TillError) -> String {
        try await base.payerPage(request, by: reference)
    }

    var preparesCharges: Bool {
        base.preparesCharges
    }

    func prepare(_ request: ChargeRequest, renewing previous: String?) async -> Preparation {
        await base.prepare(request, renewing: previous)
    }

    func charge(_ request: ChargeRequest, by reference: String) async -> ChargeOutcome {
        await base.charge(request, by: reference)
    }

    func query(_ request: ChargeRequest, by reference: String) async -> ChargeStatus {
        await base.query(request, by: reference)
    }

    func withdraw(_ request: ChargeRequest, by reference: String) async -> ChargeStatus {
        await base.withdraw(request, by: reference)
    }

    func refund(_ request: ProviderRefundRequest) async -> ChargeOutcome {
        await base.refund(request)
    }

    func queryRefund(_ request: ProviderRefundRequest) async -> ChargeStatus {
        await base.queryRefund(request)
    }

    func record(after cursor: String?) async throws(TillError) -> ProviderRecordPage {
        try await base.record(after: cursor)
    }

    func discard(_ prepared: PreparedCharge) async throws(TillError) {
        try await base.discard(prepared)
    }

    func authorizeRestore(application: String, account: String) async -> PaymentError? {
        await base.authorizeRestore(application: application, account: account)
    }
}

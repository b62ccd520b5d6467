package import FoundationEssentials
import NIOConcurrencyHelpers
package import TillEngine
package import TillModel

/// A scripted provider with one setting, `provider-mood`, which takes one word.
package final class AdjustableScript: KeyedProvider, AdjustableProvider {
    package static let name = "provider-mood"

    package let scripted = ScriptedProvider()
    /// Blocks refunds before they are executed.
    package let refunds: Gate
    private let mood = NIOLockedValueBox("fine")

    package init(refunds: Gate = Gate(isOpen: true)) {
        self.refunds = refunds
    }

    package var settings: [Setting] {
        let value = mood.withLockedValue { $0 }
        return [Setting(name: Self.name, value: value, domain: "one word", isChanged: value != "fine")]
    }

    package func checkSetting(_ name: String, _ value: String) throws(TillError) {
        guard name == Self.name, Identifier.isValid(value) else {
            throw TillError(.invalidArgument, "\(name) takes one word.")
        }
    }

    package func changeSetting(_ name: String, to value: String?) throws(TillError) {
        let value = value ?? "fine"
        try checkSetting(name, value)
        mood.withLockedValue { $0 = value }
    }

    package func charge(_ request: ChargeRequest) async -> ChargeOutcome {
        await scripted.charge(request)
    }

    package func query(_ paymentID: UUID) async -> ChargeStatus {
        await scripted.query(paymentID)
    }

    package func refund(_ request: ProviderRefundRequest) async -> ChargeOutcome {
        await refunds.pass()
        return await scripted.refund(request)
    }

    package func queryRefund(_ refundID: UUID) async -> ChargeStatus {
        await scripted.queryRefund(refundID)
    }

    package func record(after cursor: String?) async throws(TillError) -> ProviderRecordPage {
        try await scripted.record(after: cursor)
    }

    package func authorizeRestore(application: String, account: String) async -> PaymentError? {
        await scripted.authorizeRestore(application: application, account: account)
    }
}

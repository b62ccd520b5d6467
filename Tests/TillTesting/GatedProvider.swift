package import FoundationEssentials
package import TillEngine
package import TillModel

/// A scripted provider whose charges and restores can be blocked.
package final class GatedProvider: KeyedProvider {
    package let scripted = ScriptedProvider()
    package let charges: Gate
    package let questions: Gate
    package let restores: Gate
    private let product: String?

    /// - Parameter product: The only product whose charges are blocked; nil for all products.
    package init(
        charges: Gate = Gate(isOpen: true),
        of product: String? = nil,
        questions: Gate = Gate(isOpen: true),
        restores: Gate = Gate(isOpen: true)
    ) {
        self.charges = charges
        self.product = product
        self.questions = questions
        self.restores = restores
    }

    package func run() async throws {
        try await scripted.run()
    }

    package func charge(_ request: ChargeRequest) async -> ChargeOutcome {
        if product == nil || request.productID == product {
            await charges.pass()
        }
        return await scripted.charge(request)
    }

    package func query(_ paymentID: UUID) async -> ChargeStatus {
        await questions.pass()
        return await scripted.query(paymentID)
    }

    package func refund(_ request: ProviderRefundRequest) async -> ChargeOutcome {
        await scripted.refund(request)
    }

    package func queryRefund(_ refundID: UUID) async -> ChargeStatus {
        await scripted.queryRefund(refundID)
    }

    package func record(after cursor: String?) async throws(TillError) -> ProviderRecordPage {
        try await scripted.record(after: cursor)
    }

    package func authorizeRestore(application: String, account: String) async -> PaymentError? {
        await restores.pass()
        return await scripted.authorizeRestore(application: application, account: account)
    }
}

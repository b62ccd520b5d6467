import FoundationEssentials
import TillEngine
import TillModel
import TillTesting

/// Where a transaction may stand, and how it gets there.
enum Situation: String, CaseIterable {
    case charging, waitingForOther, awaitingConsent, awaitingApproval, awaitingResolution
    case purchased, purchasedFinished, failed, failedFinished, interrupted, needsReview, restored, restoredFinished

    /// Brings a transaction there, and returns its identity.
    func arrange(_ harness: EngineHarness) async throws -> UUID {
        switch self {
        case .charging:
            harness.provider.setReachable(false)
            return try await add("coins", harness)
        case .waitingForOther:
            harness.provider.setReachable(false)
            _ = try await add("pro", harness)
            return try await add("pro", harness)
        case .awaitingConsent:
            return try await add("coins", harness) { $0.authorizationPolicy = .wait }
        case .awaitingApproval:
            return try await add("coins", harness) { $0.isAskToBuyEnabled = true }
        case .awaitingResolution:
            return try await add("coins", harness) { settings in
                settings.interruptsPurchases = true
                settings.defersInterruptedPurchases = true
            }
        case .purchased:
            return try await harness.buy("coins").id
        case .purchasedFinished:
            return try await harness.own("coins").id
        case .failed:
            return try await harness.buy("nothing").id
        case .failedFinished:
            return try await harness.own("nothing").id
        case .interrupted:
            return try await add("coins", harness) { $0.interruptsPurchases = true }
        case .needsReview:
            harness.provider.setReachable(false)
            let id = try await add("coins", harness)
            harness.time.advance(by: 24 * 3600)
            _ = try await harness.final(id)
            return id
        case .restored:
            return try await restore(harness)
        case .restoredFinished:
            let id = try await restore(harness)
            _ = try await harness.engine.finishTransaction(id, in: EngineHarness.notes)
            return id
        }
    }

    /// Adds a payment while the store behaves so.
    private func add(
        _ product: String,
        _ harness: EngineHarness,
        _ change: (inout StoreSettings) -> Void = { _ in }
    ) async throws -> UUID {
        harness.changeStore(change)
        let payment = Payment(productID: product)
        _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
        harness.changeStore { $0 = StoreSettings() }
        return payment.id
    }

    private func restore(_ harness: EngineHarness) async throws -> UUID {
        _ = try await harness.own("pro")
        let begun = try await harness.engine.restoreCompletedTransactions(
            UUID(),
            applicationUsername: nil,
            in: EngineHarness.notes
        )
        let events = try await harness.events(after: begun.revision) { events in
            events.contains { if case .restoreFinished = $0 { true } else { false } }
        }
        guard let restored = events.compactMap(\.transaction).first(where: { $0.state == .restored }) else {
            throw TillError(.notFound, "Nothing was restored.")
        }
        return restored.id
    }
}

import FoundationEssentials
import Logging
import TillModel

/// Asks the provider again about charges that need a review because it could not be reached when their deadline passed. A
/// charge that it knows by a name can be asked about at any age, so that most reviews end without an operator.
struct ReviewJob: Sendable {
    /// How long to wait until the provider is asked again.
    static let interval = Duration.seconds(3600)

    let calls: ProviderCalls
    let resolving: Resolving
    let renewing: Renewing

    /// Asks until the task is cancelled, unless the provider knows no charge by a name of its own.
    func run() async {
        guard calls.provider.preparesCharges else {
            return
        }
        repeat {
            do throws(TillError) {
                try await askAboutAll()
            } catch {
                calls.access.logger.warning("Reviews were not asked about", metadata: ["error": "\(error.message)"])
            }
        } while (try? await calls.time.sleep(for: Self.interval)) != nil
    }

    private func askAboutAll() async throws(TillError) {
        var key: Int64 = 0
        while true {
            let after = key
            let (charges, next) = try await calls.access.read { try Self.charges(afterTransaction: after, $0) }
            for charge in charges {
                try await ask(about: charge)
            }
            guard let next else {
                return
            }
            key = next
        }
    }

    /// The charges in review of a page of transactions, and the key that the next page follows; nil after the last.
    private static func charges(
        afterTransaction key: Int64,
        _ ledger: any LedgerReader
    ) throws -> (charges: [ChargeRecord], next: Int64?) {
        let filter = TransactionFilter(attention: .needsReview)
        let page = try ledger.transactions(matching: filter, afterKey: key, limit: PaymentEngine.findPageMaximum)
        let charges = try page.flatMap { transaction in
            [
                try ledger.charge(forTransaction: transaction.key),
                try PaymentEngine.renewalInReview(after: transaction, ledger),
            ].compactMap(\.self)
        }
        return (
            charges.filter { $0.state == .needsReview && $0.reference != nil },
            page.count == PaymentEngine.findPageMaximum ? page.last?.key : nil
        )
    }

    private func ask(about charge: ChargeRecord) async throws(TillError) {
        guard let reference = charge.reference else {
            return
        }
        var status = await calls.provider.query(charge.request, by: reference)
        switch status {
        case .ready, .settled(.payerAction): status = await calls.provider.withdraw(charge.request, by: reference)
        case .settled, .notFound, .unreachable: break
        }
        let outcome: ReviewOutcome
        switch status {
        case .settled(.succeeded(let reference)): outcome = .charged(reference: reference)
        case .settled(.declined): outcome = .notCharged
        case .settled, .ready, .notFound, .unreachable: return
        }
        try await calls.access.commit(isOwn: true) { context in
            guard let current = try context.ledger.charge(key: charge.key), current.state == .needsReview else {
                return .success(())
            }
            if current.transactionKey == nil {
                try renewing.settleReview(of: current, as: outcome, &context)
            } else {
                try resolving.settleReview(of: current, as: outcome, &context)
            }
            return .success(())
        }
    }
}

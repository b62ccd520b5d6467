import FoundationEssentials
import TillModel

/// Asks the provider for refunds, and stores its answers.
final class RefundJobs: Sendable {
    private let refunding: Refunding
    private let calls: ProviderCalls
    private let underWay = CallsUnderWay<UUID>()

    init(_ refunding: Refunding, _ calls: ProviderCalls) {
        self.refunding = refunding
        self.calls = calls
    }

    /// Takes an open refund to its next stored state, unless another call is already at work on it.
    ///
    /// - Parameter isNew: Whether the provider has certainly not been called for it.
    func process(_ id: UUID, isNew: Bool = false) async throws(TillError) {
        guard underWay.begin(id) else {
            return
        }
        defer { underWay.end(id) }
        guard let (refund, request) = try await calls.access.read({ try Self.openRefund(id, $0) }) else {
            return
        }
        var notes: [String] = []
        var step = ChargeStep.charge
        if !isNew {
            guard try await lease(id) else {
                return
            }
            let status = await calls.provider.queryRefund(request)
            step = .after(status, of: refund, now: calls.time.now(), deadline: calls.deadline)
            notes.append("asked about refund \(id.text): \(step.text)")
        }
        if case .charge = step {
            let isTooLate = refund.latenessCheck(isNew: isNew, calls.time, deadline: calls.deadline)
            let outcome = await calls.provider.refund(request, unless: isTooLate)
            step = .after(outcome, of: refund, now: calls.time.now(), deadline: calls.deadline)
            notes.append("asked for refund \(id.text): \(step.text)")
        }
        try await store(step, of: refund, isCounted: !isNew, after: notes)
    }

    /// Returns once all calls that are at work on a refund now have ended.
    func settle() async {
        await underWay.settle()
    }

    /// Counts a query before it is made, as for a charge.
    private func lease(_ id: UUID) async throws(TillError) -> Bool {
        let isShared = calls.access.ledger.isShared
        return try await calls.access.commit(isOwn: true) { context in
            guard var current = try context.ledger.refund(id), current.state == .open,
                !isShared || current.isDue(at: context.now)
            else {
                return .success(false)
            }
            current.dueAt = ChargeStep.nextQuestion(after: current.attempts, now: context.now)
            current.attempts += 1
            try context.ledger.update(current)
            return .success(true)
        }
    }

    private static func openRefund(_ id: UUID, _ ledger: any LedgerReader) throws -> (
        RefundRecord, ProviderRefundRequest
    )? {
        guard let refund = try ledger.refund(id), refund.state == .open else {
            return nil
        }
        guard let charge = try ledger.charge(forTransaction: refund.transactionKey) else {
            throw TillError(.dataLoss, "The charge of the refund \(id.text) is missing from the ledger.")
        }
        let request = ProviderRefundRequest(
            refundID: id,
            paymentID: charge.request.paymentID,
            charge: charge.reference ?? charge.request.paymentID.text,
            amount: refund.amount,
            currency: refund.currency
        )
        return (refund, request)
    }

    private func store(
        _ step: ChargeStep,
        of refund: RefundRecord,
        isCounted: Bool,
        after notes: [String]
    ) async throws(TillError) {
        try await calls.access.commit(isOwn: true) { context in
            for note in notes {
                try context.note(refund.transactionKey, kind: .providerCall, note)
            }
            guard var current = try context.ledger.refund(refund.id), current.state == .open else {
                return .success(())
            }
            switch step {
            case .settle(.succeeded(let reference)):
                try self.refunding.settle(current, as: .succeeded, reference: reference, &context)
            case .settle(.declined):
                try self.refunding.settle(current, as: .failed, reference: nil, &context)
            case .settle(.abandoned):
                try self.refunding.settle(current, as: .needsReview, reference: nil, &context)
            case .retry(let date):
                current.attempts += isCounted ? 0 : 1
                current.dueAt = date
                try context.ledger.update(current)
            case .wait(_, let date):
                current.attempts -= isCounted ? 1 : 0
                current.dueAt = date
                try context.ledger.update(current)
            case .charge, .withdraw:
                assertionFailure("The provider's answer to a refund never asks for another refund.")
            }
            return .success(())
        }
    }
}

package import FoundationEssentials
package import TillModel

extension ResolveRequest {
    package init(transactionID: UUID, reason: String, outcome: ReviewOutcome? = nil) {
        self.init(transactionID: transactionID, reason: reason, review: .none)
        switch outcome {
        case .charged(let reference):
            review = .charged
            providerReference = reference
        case .notCharged:
            review = .notCharged
        case nil:
            break
        }
    }

    /// The outcome of an unknown charge, as an operator found it; nil resolves an interruption.
    package var outcome: ReviewOutcome? {
        switch review {
        case .none: nil
        case .charged: .charged(reference: providerReference)
        case .notCharged: .notCharged
        }
    }
}

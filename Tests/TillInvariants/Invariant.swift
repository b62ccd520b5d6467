/// What must hold whatever is killed.
package enum Invariant: String, Hashable, Sendable, CaseIterable {
    case acknowledgedPaymentsAreKept
    case refusedPaymentsLeaveNothing
    case identitiesAreUnique
    case nothingIsInvented
    case paymentsAreChargedAtMostOnce
    case purchasesAreCharged
    case failedPaymentsAreNotCharged
    case ownedProductsAreNotBoughtAgain
    case booksAgree
    case statesMoveForward
    case revisionsRise
    case finishedStaysFinished
    case initialDeliveryIsComplete
    case nothingIsSkipped
    case restoresAreComplete
    case restoresEndOnce
    case everythingEnds
    case contentIsWhole
    case finishedDownloadsAreKept
    case auditIsIntact
    case actsAreAudited
    case promotionsAreOffered
    case revocationsAreTold
    case noPeriodIsPaidTwice
    case introductionsAreGivenOnce
    case offersEnd
    case storefrontsAreTold
    case refundsAreOfWhatWasPaid
    case receiptsAreTrue

    /// Those that are put to the test only where content is hosted.
    package static let ofContent: Set<Invariant> = [.contentIsWhole, .finishedDownloadsAreKept]
    /// Those that are put to the test only where content is hosted, subscriptions are sold, an operator is at work, or
    /// what was signed is known.
    package static let ofSpecialStores = ofContent.union([
        .actsAreAudited, .promotionsAreOffered, .revocationsAreTold, .noPeriodIsPaidTwice, .introductionsAreGivenOnce,
        .offersEnd, .storefrontsAreTold, .receiptsAreTrue,
    ])
}

/// An invariant that does not hold, and for what.
package struct Violation: Hashable, Sendable, CustomStringConvertible {
    package var invariant: Invariant
    package var message: String

    package var description: String {
        "\(invariant.rawValue): \(message)"
    }
}

/// What a check found, and how much there was to check.
package struct Verdict: Sendable {
    package var violations: [Violation] = []
    /// For each invariant, how often it could have been found broken: a check of nothing proves nothing.
    package var examined: [Invariant: Int] = [:]

    /// Counts one examination, and notes the violation unless `isKept`.
    mutating func expect(_ invariant: Invariant, _ isKept: Bool, _ message: @autoclosure () -> String) {
        examined[invariant, default: 0] += 1
        if !isKept {
            violations.append(Violation(invariant: invariant, message: message()))
        }
    }
}

/// A promise that must hold, even if the daemon and the applications crash at any moment.
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
    case revocationsAreDelivered
    case noPeriodIsPaidTwice
    case introductionsAreGivenOnce
    case offersEnd
    case storefrontMovesAreDelivered
    case refundsDoNotExceedPayments
    case receiptsAreTrue

    /// The invariants that are examined only in stores that host content.
    package static let ofContent: Set<Invariant> = [.contentIsWhole, .finishedDownloadsAreKept]
    /// The invariants that are examined only in stores that host content, sell subscriptions, have an active operator,
    /// or keep the signed facts.
    package static let ofSpecialStores = ofContent.union([
        .actsAreAudited, .promotionsAreOffered, .revocationsAreDelivered, .noPeriodIsPaidTwice,
        .introductionsAreGivenOnce,
        .offersEnd, .storefrontMovesAreDelivered, .receiptsAreTrue,
    ])
}

/// A broken invariant with its details.
package struct Violation: Hashable, Sendable, CustomStringConvertible {
    package var invariant: Invariant
    package var message: String

    package var description: String {
        "\(invariant.rawValue): \(message)"
    }
}

/// The violations that a check found, and how often it examined each invariant.
package struct Verdict: Sendable {
    package var violations: [Violation] = []
    /// How often each invariant could have been found broken. A check that examines nothing proves nothing.
    package var examined: [Invariant: Int] = [:]

    /// Counts one examination, and notes a violation unless `isKept`.
    mutating func expect(_ invariant: Invariant, _ isKept: Bool, _ message: @autoclosure () -> String) {
        examined[invariant, default: 0] += 1
        if !isKept {
            violations.append(Violation(invariant: invariant, message: message()))
        }
    }
}

import FoundationEssentials
import TillEngine
import TillModel

/// A note that a transaction is one of a short list that is asked for, for example one that entitles to its product. Most
/// consumables have no mark. Marks follow from the row alone: see ``TransactionRow/marks``.
struct Mark: Hashable {
    enum Kind: Int, CaseIterable {
        /// Entitles the owner, a queue, to the product with that name, which is bought once.
        case owned = 1
        /// Entitles the queue to a non-consumable or a non-renewing subscription.
        case entitlement = 2
        /// Finished, and can be restored in the queue.
        case restorable = 3
        /// The same, by username.
        case restorableByUsername = 4
        /// An unfinished restored copy of the owner, a purchase; named by the start of its period.
        case copy = 5
        /// Paid for a period of the owner, a subscription.
        case term = 6
        /// An unfinished renewal of the owner, a subscription.
        case renewal = 7
        /// Failed because of an interruption that is not resolved.
        case interrupted = 8
        case revoked = 9
        /// Its charge needs an operator's decision.
        case inReview = 10
        /// Its charge is the open one of the queue's exclusive group with that name.
        case openInGroup = 11
        /// Its charge waits for another one of the queue's exclusive group with that name.
        case waitingInGroup = 12
        /// Belongs in the application's receipt for good. Consumables belong there only until they are finished.
        case receipt = 13
        /// No observer of the queue has acknowledged its revocation.
        case revocationPending = 14
        /// A dispute about its payment is not decided.
        case disputed = 15
    }

    var kind: Kind
    /// The key of a queue, a purchase or a subscription; 0 for lists of the whole ledger.
    var owner: Int64
    var name: String

    init(_ kind: Kind, _ owner: Int64 = 0, _ name: String = "") {
        self.kind = kind
        self.owner = owner
        self.name = name
    }

    /// Databases compare names by their bytes, Swift by canonical equivalence.
    static func == (left: Mark, right: Mark) -> Bool {
        left.kind == right.kind && left.owner == right.owner && left.name.hasSameBytes(as: right.name)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(owner)
    }

    /// The name of the copies of a purchase that paid for the period, or for none.
    static func copyName(_ term: TermRecord?) -> String {
        term.map { String($0.start.millisecondsSince1970) } ?? ""
    }
}

extension TransactionRow {
    /// The marks that the transaction has.
    var marks: [Mark] {
        var marks: [Mark] = []
        addEntitlements(to: &marks)
        addTerms(to: &marks)
        addCharges(to: &marks)
        if transaction.isInterrupted {
            marks.append(Mark(.interrupted))
        }
        if transaction.revocation != nil {
            marks.append(Mark(.revoked))
        }
        if transaction.isRevocationPending {
            marks.append(Mark(.revocationPending, transaction.queue))
        }
        if !transaction.openDisputes.isEmpty {
            marks.append(Mark(.disputed, transaction.queue))
        }
        return marks
    }

    private func addEntitlements(to marks: inout [Mark]) {
        let queue = transaction.queue
        if transaction.staysInApplicationReceipt {
            marks.append(Mark(.receipt, queue))
        }
        guard transaction.isEntitlement, let type = transaction.productType else {
            return
        }
        if type == .nonConsumable {
            marks.append(Mark(.owned, queue, transaction.payment.productID))
        }
        if type == .nonConsumable || type == .nonRenewingSubscription {
            marks.append(Mark(.entitlement, queue))
        }
        if type.isRestorable, transaction.finishedAt != nil {
            marks.append(Mark(.restorable, queue))
            if let username = transaction.payment.applicationUsername {
                marks.append(Mark(.restorableByUsername, queue, username))
            }
        }
    }

    private func addTerms(to marks: inout [Mark]) {
        let isUnfinished = transaction.finishedAt == nil
        if transaction.state == .restored, isUnfinished, let original = transaction.original {
            marks.append(Mark(.copy, original.key, Mark.copyName(transaction.term)))
        }
        guard transaction.state == .purchased, let term = transaction.term else {
            return
        }
        marks.append(Mark(.term, term.subscription))
        if isUnfinished, term.isRenewal, transaction.revocation == nil {
            marks.append(Mark(.renewal, term.subscription))
        }
    }

    private func addCharges(to marks: inout [Mark]) {
        guard let charge else {
            return
        }
        switch (charge.state, charge.exclusiveGroup) {
        case (.needsReview, _): marks.append(Mark(.inReview))
        case (.open, let group?): marks.append(Mark(.openInGroup, transaction.queue, group))
        case (.waiting, let group?): marks.append(Mark(.waitingInGroup, transaction.queue, group))
        default: break
        }
    }
}

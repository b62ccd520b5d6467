import FoundationEssentials
import TillModel

/// A purchase under way: its transaction and the charge for it.
struct Purchase {
    var transaction: TransactionRecord
    /// Nil for a purchase that never costs anything.
    var charge: ChargeRecord?
    var queue: QueueRecord
    /// Its receipt, if that was signed before this commit.
    var signedAhead: SignedAhead?
}

/// Takes purchases from the payment to their end, each step within a commit.
final class Purchasing: Sendable {
    /// Waiting charges that are read at a time.
    static let releasePage = 256

    let catalogue: StoreCatalogue
    let completion: Completion
    let subscriptions: Subscriptions
    let refunding: Refunding
    let agents: AgentRegistry
    /// How long a payer has on the provider's page; nil if the provider has none.
    let payerDeadline: Duration?
    let configuration: EngineConfiguration

    init(
        catalogue: StoreCatalogue,
        completion: Completion,
        subscriptions: Subscriptions,
        refunding: Refunding,
        agents: AgentRegistry,
        payerDeadline: Duration?,
        configuration: EngineConfiguration
    ) {
        self.catalogue = catalogue
        self.completion = completion
        self.subscriptions = subscriptions
        self.refunding = refunding
        self.agents = agents
        self.payerDeadline = payerDeadline
        self.configuration = configuration
    }

    func canMakePayments(account: String) -> Bool {
        !configuration.accountsNotAllowedToPay.contains(account)
    }

    /// Makes the transaction of a new payment, and takes it as far as it can go.
    func begin(
        _ payment: Payment,
        continuing continued: UUID? = nil,
        after stage: PurchaseStep.Stage = .added,
        in queue: QueueRecord,
        _ context: inout CommandContext
    ) throws -> TransactionRecord {
        let product = catalogue.soldProduct(payment.productID)
        var transaction = TransactionRecord(
            queue: queue.key,
            id: payment.id,
            payment: payment,
            productType: product?.type,
            state: .purchasing,
            revision: 0,
            createdAt: context.now,
            continues: continued
        )
        let plan = try plan(payment, product, in: queue, context)
        switch plan {
        case .refused(let error):
            transaction.fail(error)
            return try context.save(transaction)
        case .owned(let original):
            return try grant(Purchase(transaction: transaction, queue: queue), ownedBy: original, &context)
        case .due(let price):
            transaction.offer = price.offer
            transaction.sale = catalogue.sale(price, of: product)
            let charge = charge(for: payment, price, in: queue, at: context.now)
            let purchase = Purchase(transaction: transaction, charge: charge, queue: queue)
            return try proceed(consume purchase, after: stage, planned: plan, &context)
        }
    }

    /// Takes a purchase that has passed a stage as far as it goes, and stores it.
    ///
    /// - Parameter plan: As it was made in this commit; nil to make a new plan for a purchase that has waited.
    func proceed(
        _ purchase: consuming Purchase,
        after stage: PurchaseStep.Stage,
        planned plan: PurchasePlan? = nil,
        _ context: inout CommandContext
    ) throws -> TransactionRecord {
        switch PurchaseStep.next(after: stage, stepFacts(purchase, context.now)) {
        case .wait(let state, let blocker, let deadline):
            purchase.transaction.wait(state, for: blocker, until: deadline)
            purchase.charge?.state = .held
            context.effects.requestsChanged = true
            return try store(consume purchase, &context)
        case .fail(let error, let isInterrupted):
            purchase.transaction.fail(error, isInterrupted: isInterrupted)
            purchase.charge?.state = .unneeded
            return try store(consume purchase, &context)
        case .charge:
            return try charge(consume purchase, planned: plan, &context)
        }
    }

    /// Charges for the purchase: now, or after another charge for the same product; or not at all, if the account owns it
    /// by now.
    private func charge(
        _ purchase: consuming Purchase,
        planned plan: PurchasePlan? = nil,
        _ context: inout CommandContext
    ) throws -> TransactionRecord {
        guard var charge = purchase.charge else {
            return try grant(purchase, ownedBy: nil, &context)
        }
        let others = try precedingCharges(charge, context)
        let plan = try plan ?? planAgain(purchase, context)
        if case .due(let price) = plan, others.isEmpty, let offer = purchase.transaction.offer, offer != price.offer {
            guard !Self.isAgreedTo(purchase.transaction, charge) else {
                return try fail(purchase, Self.ineligible, &context)
            }
            // The provider has not heard of it yet.
            purchase.transaction.offer = price.offer
            purchase.transaction.sale = catalogue.sale(
                price,
                of: catalogue.soldProduct(purchase.transaction.payment.productID)
            )
            charge.request.amount = price.amount
            charge.request.currency = price.currency
            charge.amountAfterOffer = price.amountAfterOffer
            purchase.charge = charge
        }
        switch plan {
        case .refused(let error):
            return try fail(purchase, error, &context)
        case .owned(let original) where others.isEmpty:
            return try grant(purchase, ownedBy: original, &context)
        case .due where others.isEmpty && charge.request.amount == 0:
            return try grant(purchase, ownedBy: nil, &context)
        case .owned, .due:
            // A deferred transaction stays deferred until it ends, even once it is approved.
            purchase.transaction.wait(purchase.transaction.state, for: others.isEmpty ? .provider : .otherPayment)
            charge.state = others.isEmpty ? .open : .waiting
            // A charge that may have waited for days is sent now for the first time.
            charge.createdAt = context.now
            charge.dueAt = context.now.addingTimeInterval(ChargeRecord.lease)
            purchase.charge = charge
            return try store(consume purchase, &context)
        }
    }

    /// Lets the transaction of an open charge wait for its payer, or for money that is on its way. It is deferred then,
    /// unless an agent can ask the payer now.
    ///
    /// - Returns: Whether it did not wait for that before.
    func wait(for reason: ChargeStep.Wait, charge: ChargeRecord, _ context: inout CommandContext) throws -> Bool {
        guard reason != .busyProvider, var purchase = try purchase(of: charge, context) else {
            return true
        }
        let isAsked = try reason == .payer && hasAgent(purchase.queue.name.account, context)
        let state = isAsked ? purchase.transaction.state : .deferred
        let blocker: Blocker = reason == .payer ? .payerAction : .provider
        guard purchase.transaction.state != state || purchase.transaction.blocker != blocker else {
            return false
        }
        purchase.transaction.wait(state, for: blocker)
        context.effects.requestsChanged = true
        try context.save(purchase.transaction)
        return true
    }

    /// Whether an agent can ask the account's user, at this host or at another.
    private func hasAgent(_ account: String, _ context: CommandContext) throws -> Bool {
        try agents.isAttached(account: account) || context.ledger.isAgentElsewhere(account: account)
    }

    /// Whether a person agreed to the price. A transaction that waits only for another payment has waited since it was
    /// added.
    private static func isAgreedTo(_ transaction: TransactionRecord, _ charge: ChargeRecord) -> Bool {
        charge.state == .held || transaction.state == .deferred || charge.createdAt > transaction.createdAt
    }

    private static let ineligible = PaymentError(
        .ineligibleForOffer,
        "The account is no longer eligible for the offer whose price was agreed to.",
        reason: .invalidOffer
    )

    /// Continues the payments that waited for a charge of the exclusive group: those for products that the account owns by
    /// now are free, and the first of the others is charged.
    func releaseWaiting(_ exclusiveGroup: String, in queue: QueueRecord, _ context: inout CommandContext) throws {
        while true {
            let unsettled = try context.ledger.unsettledCharges(
                exclusiveGroup: exclusiveGroup,
                in: queue.key,
                limit: Self.releasePage
            )
            for next in unsettled {
                guard next.state == .waiting, let purchase = try purchase(of: next, context),
                    try charge(purchase, &context).state.isFinal
                else {
                    return
                }
            }
            if unsettled.count < Self.releasePage {
                return
            }
        }
    }

    /// Stores the transaction and its charge.
    func store(_ purchase: consuming Purchase, _ context: inout CommandContext) throws -> TransactionRecord {
        let charge = purchase.charge
        let transaction = try context.save((consume purchase).transaction)
        try store(charge, of: transaction, &context)
        return transaction
    }

    /// Stores the charge for a transaction, unless it was settled before it was ever stored.
    func store(
        _ charge: consuming ChargeRecord?,
        of transaction: TransactionRecord,
        _ context: inout CommandContext
    ) throws {
        if var charge, charge.key != 0 || !charge.state.isSettled {
            charge.transactionKey = transaction.key
            try context.save(charge, of: transaction)
        }
    }

    /// The purchase that a charge is for.
    func purchase(of charge: ChargeRecord, _ context: CommandContext) throws -> Purchase? {
        guard let transaction = try charge.transactionKey.flatMap({ try context.ledger.transaction(key: $0) }),
            let queue = try context.ledger.queue(key: transaction.queue)
        else {
            return nil
        }
        return Purchase(transaction: transaction, charge: charge, queue: queue)
    }

    /// The purchase of a transaction.
    func purchase(of transaction: TransactionRecord, _ context: CommandContext) throws -> Purchase? {
        guard let queue = try context.ledger.queue(key: transaction.queue) else {
            return nil
        }
        let charge = try context.ledger.charge(forTransaction: transaction.key)
        return Purchase(transaction: transaction, charge: charge, queue: queue)
    }

    private func precedingCharges(_ charge: ChargeRecord, _ context: CommandContext) throws -> [ChargeRecord] {
        guard let exclusiveGroup = charge.exclusiveGroup else {
            return []
        }
        // The open charge comes first, or the first waiting one if none is open.
        let first = try context.ledger.unsettledCharges(exclusiveGroup: exclusiveGroup, in: charge.queue, limit: 1)
        return first.filter { $0.key != charge.key }
    }

    private func planAgain(_ purchase: Purchase, _ context: CommandContext) throws -> PurchasePlan {
        let payment = purchase.transaction.payment
        return try plan(payment, catalogue.soldProduct(payment.productID), in: purchase.queue, context)
    }

    private func plan(
        _ payment: Payment,
        _ product: Product?,
        in queue: QueueRecord,
        _ context: CommandContext
    ) throws -> PurchasePlan {
        var facts = PurchasePlan.Facts(
            product: product,
            canMakePayments: canMakePayments(account: queue.name.account),
            settings: catalogue.settings,
            now: context.now
        )
        if product?.type == .nonConsumable {
            facts.entitlement = try context.ledger.entitlement(to: payment.productID, in: queue.key)
        }
        if let group = product?.subscription?.groupID {
            facts.subscription = try context.ledger.subscription(toGroup: group, in: queue.key)
            facts.subscribedProduct = facts.subscription.flatMap { catalogue.product($0.productID) }
        }
        if let discount = payment.discount {
            facts.discountFault = catalogue.source.fault(
                of: discount,
                application: queue.name.application,
                productID: payment.productID,
                applicationUsername: payment.applicationUsername
            )
        }
        return PurchasePlan.make(payment, facts)
    }

    private func stepFacts(_ purchase: Purchase, _ now: Date) -> PurchaseStep.Facts {
        PurchaseStep.Facts(
            settings: catalogue.settings,
            simulatesAskToBuy: purchase.transaction.payment.simulatesAskToBuyInSandbox,
            isAgentAttached: agents.isAttached(account: purchase.queue.name.account),
            providerAsksPayer: payerDeadline != nil,
            now: now,
            deadlines: configuration.deadlines
        )
    }

    private func charge(
        for payment: Payment,
        _ price: PurchasePrice,
        in queue: QueueRecord,
        at now: Date
    ) -> ChargeRecord {
        ChargeRecord(
            transactionKey: nil,
            queue: queue.key,
            exclusiveGroup: price.exclusiveGroup,
            request: ChargeRequest(
                paymentID: payment.id,
                application: queue.name.application,
                account: queue.name.account,
                productID: payment.productID,
                quantity: payment.quantity,
                amount: price.amount,
                currency: price.currency
            ),
            amountAfterOffer: price.amountAfterOffer,
            state: .held,
            createdAt: now,
            dueAt: now
        )
    }
}

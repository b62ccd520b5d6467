import FoundationEssentials
import TillModel

/// The values of approval, subscriptions and operators behind the golden bytes.
extension Sample {
    static func date(_ milliseconds: Int64) -> Date {
        Date(millisecondsSince1970: milliseconds)
    }

    static let revocation = Revocation(date: date(300), reason: .applicationIssue, quantity: 2)
    static let appliedOffer = AppliedOffer(type: .promotional, id: "o", paymentMode: .payUpFront)
    static let term = SubscriptionTerm(
        groupID: "g",
        startDate: date(1),
        expirationDate: date(300),
        isRenewal: true,
        offer: appliedOffer,
        isUpgraded: true,
        collapsedCount: 3
    )
    static let status = SubscriptionStatus(
        groupID: "g",
        productID: "a.b",
        renewalProductID: "a.c",
        state: .inGracePeriod,
        expirationDate: date(300),
        gracePeriodExpirationDate: date(400),
        willAutoRenew: true,
        expirationReason: .billingError,
        priceConsent: .agreed,
        renewalPrice: price,
        originalID: uuid(0x11),
        originalTransactionIdentifier: "42",
        latestID: uuid(0x22)
    )
    /// As a list of subscriptions has it.
    static var listedStatus: SubscriptionStatus {
        var listed = status
        listed.renewalInfo = "a.b"
        return listed
    }
    static let entitlement = Entitlement(
        productID: "a.b",
        productType: .autoRenewableSubscription,
        transactionID: uuid(0x11),
        transactionIdentifier: "42",
        purchaseDate: date(300),
        expirationDate: date(0),
        subscription: status
    )
    static let authorization = AuthorizationRequest(
        id: uuid(0x11),
        kind: .approval,
        application: "p",
        account: "uid:1",
        productID: "a.b",
        displayName: "N",
        quantity: 2,
        price: price,
        locale: "en",
        applicationUsername: "",
        createdAt: date(300),
        deadline: date(400)
    )
    static let operatorTransaction = OperatorTransaction(
        application: "p",
        account: "uid:1",
        transaction: transaction,
        needsReview: true
    )
    static let history = HistoryEntry(date: date(300), kind: .providerCall, actor: "tilld", detail: "d")
    static let charge = ChargeSummary(
        paymentID: uuid(0x11),
        state: .held,
        amount: 300,
        currency: "USD",
        attempts: 2,
        reference: "c",
        dueAt: date(400)
    )
    static let refund = RefundSummary(
        id: uuid(0x66),
        quantity: 1,
        amount: 300,
        currency: "USD",
        reason: .applicationIssue,
        state: .needsReview,
        reference: "r",
        createdAt: date(400)
    )
    static let setting = Setting(name: "locale", value: "de", domain: "a tag", isChanged: true)
    static let metric = MetricSample(name: "m", labels: [MetricLabel(name: "a", value: "b")], value: 1.5)
    static let host = LedgerHost(
        name: "a",
        isLive: true,
        isAnswering: true,
        openedAt: date(300),
        commits: 7,
        version: "v",
        catalogueHash: [1],
        configurationHash: [2]
    )
    static let backup = BackupSummary(ledgerID: uuid(0x44), date: date(300), byteCount: 300, hasKeys: true)
    static let entry = LedgerEntry(
        date: date(300),
        kind: .refund,
        paymentID: uuid(0x11),
        refundID: uuid(0x22),
        application: "a",
        account: "b",
        productID: "c",
        quantity: 1,
        amount: 300,
        currency: "USD",
        reference: "r"
    )
    static let row = ReconciliationRow(
        paymentID: uuid(0x11),
        finding: .differentAmount,
        ledgerState: .waiting,
        ledgerAmount: 0,
        providerAmount: 300,
        currency: "USD",
        reference: "c",
        productID: "a.b"
    )
    static let link = AuditLink(
        sequence: 1,
        date: date(300),
        uid: 1000,
        host: "h",
        action: "Refund",
        subject: "s",
        detail: "d",
        reason: "r",
        previousHash: [0],
        hash: [0xFF]
    )
}

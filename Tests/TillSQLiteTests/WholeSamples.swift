import FoundationEssentials
import TillEngine
import TillModel

extension Payment {
    /// Every value is set, and the texts are `text`.
    static func whole(_ text: String) -> Payment {
        Payment(
            productID: text,
            quantity: 10,
            applicationUsername: text,
            requestData: Array(text.utf8) + [0, 255],
            discount: PaymentDiscount(
                identifier: text,
                keyIdentifier: text,
                nonce: UUID(),
                signature: text,
                timestamp: Date(millisecondsSince1970: 1_700_000_000_123)
            ),
            simulatesAskToBuyInSandbox: true
        )
    }
}

extension PaymentError {
    static func whole(_ text: String) -> PaymentError {
        PaymentError(
            .init(rawValue: -77),
            text,
            moneyMoved: .yes,
            retry: .never,
            reason: .outcomeUnknown,
            providerCode: text
        )
    }
}

extension TransactionRecord {
    /// Every value but the original is set.
    static func whole(_ queue: Int64, subscription: Int64, _ text: String = "text") -> TransactionRecord {
        TransactionRecord(
            queue: queue,
            id: UUID(),
            payment: .whole(text),
            productType: .autoRenewableSubscription,
            state: .failed,
            revision: UInt64(Int64.max),
            createdAt: Date(millisecondsSince1970: -1),
            purchasedAt: Date(millisecondsSince1970: -2),
            finishedAt: .distantFuture,
            error: .whole(text),
            isEntitlement: true,
            blocker: .resolution,
            deadline: .distantPast,
            continues: UUID(),
            isInterrupted: true,
            offer: AppliedOffer(type: .winBack, id: text, paymentMode: .freeTrial),
            sale: SaleRecord(
                amount: .min,
                currency: text,
                storefront: Storefront(countryCode: text, identifier: text + "!"),
                offerPeriod: text
            ),
            term: TermRecord(
                subscription: subscription,
                groupID: text,
                start: time(-1),
                end: Date(millisecondsSince1970: 1),
                isRenewal: true,
                isUpgraded: true
            ),
            revocation: Revocation(date: time(8), reason: .applicationIssue, quantity: 3),
            isRevocationPending: true,
            openDisputes: [text, text + "!"],
            receipt: SignedReceipt(header: text, body: text + "!"),
            hasDownloads: true
        )
    }
}

extension DownloadRecord {
    /// Every value is set, and the texts are `text`.
    static func whole(_ transaction: TransactionRecord, _ text: String = "text") -> DownloadRecord {
        DownloadRecord(
            id: UUID(),
            queue: transaction.queue,
            transactionKey: transaction.key,
            transactionID: transaction.id,
            productID: text,
            content: ProductContent(identifier: text, version: text, length: .max),
            sha256: Array(repeating: 0xFF, count: 32),
            state: .failed,
            revision: UInt64(Int64.max),
            receivedBytes: .max,
            run: .min,
            deadline: .distantFuture,
            error: DownloadError(.withdrawn, text),
            path: text,
            size: .max
        )
    }
}

extension SubscriptionRecord {
    /// Every value is set.
    static func whole(_ original: TransactionRecord, _ text: String = "text") -> SubscriptionRecord {
        SubscriptionRecord(
            queue: original.queue,
            groupID: text,
            original: original.asOriginal,
            latestKey: original.key,
            productID: text,
            renewalProductID: text + "!",
            state: .revoked,
            periodStart: time(-5),
            periodEnd: Date(millisecondsSince1970: 5),
            recentStart: time(-9),
            willRenew: false,
            renewalAmount: .max,
            currency: text,
            offer: OfferRecord(
                offer: AppliedOffer(type: .code, id: text, paymentMode: .payUpFront),
                amount: .min,
                remaining: 7
            ),
            hasUsedIntroductoryOffer: true,
            priceConsent: .declined,
            announcedAmount: 77,
            graceEnd: time(1),
            retryEnd: time(2),
            attempts: 9,
            expirationReason: .unknown,
            dueAt: time(3)
        )
    }
}

extension AuditLink {
    /// The first link, with nothing in it.
    static let blank = AuditLink(
        sequence: 1,
        date: time(0),
        uid: 0,
        action: "",
        subject: "",
        detail: "",
        reason: "",
        previousHash: [],
        hash: []
    )
}

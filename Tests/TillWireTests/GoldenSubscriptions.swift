import FoundationEssentials
import TillModel
import TillWire

extension Golden {
    /// Transactions with subscriptions, revocations and blockers, and the messages of entitlement.proto.
    static let subscriptions: [Golden] = [
        Golden(
            note: "deferred",
            Transaction(
                id: Sample.uuid(0x11),
                revision: 300,
                state: .deferred,
                payment: Sample.payment,
                blocker: .approval,
                deadline: Sample.date(0),
                continues: Sample.uuid(0x22)
            ),
            """
            0A10 11111111111111111111111111111111 10AC02 1804  # id, revision, state
            2219  # payment
              0A10 11111111111111111111111111111111 1203 612E62  # id, product_id
              1802  # quantity
            4804 5000  # blocker, deadline_ms
            5A10 22222222222222222222222222222222  # continues
            """
        ),
        Golden(
            note: "revoked",
            Transaction(
                id: Sample.uuid(0x11),
                revision: 300,
                state: .purchased,
                payment: Sample.payment,
                revocation: Sample.revocation,
                subscription: Sample.term
            ),
            """
            0A10 11111111111111111111111111111111 10AC02 1801  # id, revision, state
            2219  # payment
              0A10 11111111111111111111111111111111 1203 612E62  # id, product_id
              1802  # quantity
            6207 08AC0210011802  # revocation
            6A17  # subscription
              0A01 67 1001 18AC02 2001  # group_id, start_ms, expiration_ms, is_renewal
              2A07 080112016F1801 3001 3803  # offer, is_upgraded, collapsed_count
            """
        ),
        Golden(
            note: "of a reason",
            PaymentError(.paymentCancelled, "no", moneyMoved: .yes, retry: .never, reason: .expired, providerCode: "x"),
            "0802 1202 6E6F 1802 2A01 78 3003"
        ),
        Golden(Sample.revocation, "08AC02 1001 1802"),
        Golden(Sample.appliedOffer, "0801 1201 6F 1801"),
        Golden(
            Sample.term,
            "0A01 67 1001 18AC02 2001 2A07 080112016F1801 3001 3803"
        ),
        Golden(
            Sample.status,
            """
            0A01 67 1203 612E62 1A03 612E63  # group_id, product_id, renewal_product_id
            2004 28AC02 309003  # state, expiration_ms, grace_period_expiration_ms
            3801 4002 4802  # will_auto_renew, expiration_reason, price_consent
            520B 0A04342E39391203555344  # renewal_price
            5A10 11111111111111111111111111111111  # original_id
            6202 3432  # original_transaction_identifier
            6A10 22222222222222222222222222222222  # latest_id
            """
        ),
        Golden(
            note: "in a list",
            Sample.listedStatus,
            """
            0A01 67 1203 612E62 1A03 612E63  # group_id, product_id, renewal_product_id
            2004 28AC02 309003  # state, expiration_ms, grace_period_expiration_ms
            3801 4002 4802  # will_auto_renew, expiration_reason, price_consent
            520B 0A04342E39391203555344  # renewal_price
            5A10 11111111111111111111111111111111  # original_id
            6202 3432  # original_transaction_identifier
            6A10 22222222222222222222222222222222  # latest_id
            7203 612E62  # renewal_info
            """
        ),
        Golden(
            Sample.entitlement,
            """
            0A03 612E62 1003  # product_id, product_type
            1A10 11111111111111111111111111111111  # transaction_id
            2202 3432 28AC02 3000  # transaction_identifier, purchase_ms, expiration_ms
            3A50  # subscription
              0A01 67 1203 612E62  # group_id, product_id
              1A03 612E63 2004 28AC02  # renewal_product_id, state, expiration_ms
              309003 3801  # grace_period_expiration_ms, will_auto_renew
              4002 4802  # expiration_reason, price_consent
              520B 0A04342E39391203555344  # renewal_price
              5A10 11111111111111111111111111111111  # original_id
              6202 3432  # original_transaction_identifier
              6A10 22222222222222222222222222222222  # latest_id
            """
        ),
        Golden(
            note: "of a non-consumable",
            Entitlement(
                productID: "a.b",
                productType: .nonConsumable,
                transactionID: Sample.uuid(0x11),
                transactionIdentifier: "42",
                purchaseDate: Sample.date(300)
            ),
            """
            0A03 612E62 1001  # product_id, product_type
            1A10 11111111111111111111111111111111  # transaction_id
            2202 3432 28AC02  # transaction_identifier, purchase_ms
            """
        ),
    ]

    /// The calls of the payment queue that concern them.
    static let buying: [Golden] = [
        Golden(
            CancelPaymentRequest(transactionID: Sample.uuid(0x11)),
            "0A10 11111111111111111111111111111111"
        ),
        Golden(
            CancelPaymentResponse(transaction: Sample.transaction),
            """
            0A30  # transaction
              0A10 11111111111111111111111111111111 10AC02  # id, revision
              2219  # payment
                0A10 11111111111111111111111111111111 1203 612E62  # id, product_id
                1802  # quantity
            """
        ),
        Golden(
            note: "with older renewals",
            FinishTransactionRequest(transactionID: Sample.uuid(0x11), finishesOlderRenewals: true),
            "0A10 11111111111111111111111111111111 1001"
        ),
        Golden(
            note: "of the newest renewals",
            ObserveRequest(observerID: 1, collapsesRenewals: true),
            "0801 3001"
        ),
        Golden(note: "of one who looks on", ObserveRequest(observerID: 1, isPassive: true), "0801 3801"),
        Golden(
            note: "failed",
            RestoreCompletedTransactionsResponse(
                restoreID: Sample.uuid(0x55),
                revision: 9,
                state: .failed,
                restoredCount: 3,
                totalCount: 300,
                error: Sample.error
            ),
            """
            0A10 55555555555555555555555555555555 1009  # restore_id, revision
            1802 2003 28AC02  # state, restored_count, total_count
            320B 080212026E6F18022A0178  # error
            """
        ),
        Golden(RestoreStatusRequest(restoreID: Sample.uuid(0x55)), "0A10 55555555555555555555555555555555"),
        Golden(CancelRestoreRequest(restoreID: Sample.uuid(0x55)), "0A10 55555555555555555555555555555555"),
        Golden(EntitlementsRequest(pageToken: 300), "08AC02"),
        Golden(
            EntitlementsResponse(entitlements: [Sample.entitlement], nextPageToken: 7),
            """
            0A74  # entitlements
              0A03 612E62 1003  # product_id, product_type
              1A10 11111111111111111111111111111111  # transaction_id
              2202 3432 28AC02  # transaction_identifier, purchase_ms
              3000  # expiration_ms
              3A50  # subscription
                0A01 67 1203 612E62  # group_id, product_id
                1A03 612E63 2004 28AC02  # renewal_product_id, state, expiration_ms
                309003 3801  # grace_period_expiration_ms, will_auto_renew
                4002 4802  # expiration_reason, price_consent
                520B 0A04342E39391203555344  # renewal_price
                5A10 11111111111111111111111111111111  # original_id
                6202 3432  # original_transaction_identifier
                6A10 22222222222222222222222222222222  # latest_id
            1007  # next_page_token
            """
        ),
        Golden(SubscriptionsRequest(pageToken: 300), "08AC02"),
        Golden(
            SubscriptionsResponse(subscriptions: [Sample.status]),
            """
            0A50  # subscriptions
              0A01 67 1203 612E62  # group_id, product_id
              1A03 612E63 2004 28AC02  # renewal_product_id, state, expiration_ms
              309003 3801  # grace_period_expiration_ms, will_auto_renew
              4002 4802  # expiration_reason, price_consent
              520B 0A04342E39391203555344  # renewal_price
              5A10 11111111111111111111111111111111  # original_id
              6202 3432  # original_transaction_identifier
              6A10 22222222222222222222222222222222  # latest_id
            """
        ),
        Golden(
            note: "revoked",
            as: "Event",
            QueueEvent.revoked(Sample.transaction),
            """
            3A30  # revoked
              0A10 11111111111111111111111111111111 10AC02  # id, revision
              2219  # payment
                0A10 11111111111111111111111111111111 1203 612E62  # id, product_id
                1802  # quantity
            """
        ),
        Golden(
            note: "a promoted purchase",
            as: "Event",
            QueueEvent.storePaymentRequested(Sample.payment),
            "4219 0A10111111111111111111111111111111111203612E621802"
        ),
        Golden(
            note: "another storefront",
            as: "Event",
            QueueEvent.storefrontChanged(Storefront(countryCode: "USA", identifier: "143441")),
            "4A0D 0A035553411206313433343431"
        ),
    ]
}

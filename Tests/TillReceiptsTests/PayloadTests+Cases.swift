import FoundationEssentials
import TillEngine
import TillModel

extension PayloadTests {
    static let all = kinds + subscriptions + unpaidPeriods + revocations + offers + prices

    static let kinds = [
        Case(testDescription: "non-consumable", facts: Samples.facts(), expected: [:]),
        Case(
            testDescription: "consumables",
            facts: Samples.facts(Samples.transaction(.consumable, quantity: 3)),
            expected: ["type": "Consumable", "quantity": 3]
        ),
        Case(
            testDescription: "non-renewing subscription",
            facts: Samples.facts(Samples.transaction(.nonRenewingSubscription)),
            expected: ["type": "Non-Renewing Subscription"]
        ),
        Case(
            testDescription: "product that the store did not have",
            facts: Samples.facts(Samples.transaction(nil)),
            expected: [:],
            absent: ["type"]
        ),
        Case(
            testDescription: "user that is a UUID",
            facts: Samples.facts(Samples.transaction(username: "7E3FB20B-4CDB-47CC-936D-99D65F608138")),
            expected: ["appAccountToken": "7e3fb20b-4cdb-47cc-936d-99d65f608138"]
        ),
        Case(
            testDescription: "user that is not a UUID",
            facts: Samples.facts(Samples.transaction(username: "anna")),
            expected: [:]
        ),
        Case(
            testDescription: "approved a while after it was asked for",
            facts: Samples.facts(changed { $0.purchasedAt = Samples.date }),
            expected: [
                "purchaseDate": .milliseconds(Samples.date), "originalPurchaseDate": .milliseconds(Samples.date),
            ]
        ),
        Case(
            testDescription: "restored",
            facts: Samples.facts(
                changed(Samples.transaction(state: .restored)) { $0.original = Samples.original }
            ),
            expected: originals
        ),
    ]

    static let subscriptions = [
        Case(
            testDescription: "first period",
            facts: Samples.facts(subscribed { $0.term = Samples.term() }),
            expected: subscription
        ),
        Case(
            testDescription: "renewal",
            facts: Samples.facts(
                subscribed {
                    $0.term = Samples.term(isRenewal: true)
                    $0.original = Samples.original
                }
            ),
            expected: subscription.merging(originals) { $1 }.merging(["transactionReason": "RENEWAL"]) { $1 }
        ),
        Case(
            testDescription: "period that an upgrade ended",
            facts: Samples.facts(subscribed { $0.term = Samples.term(isUpgraded: true) }),
            expected: subscription.merging(["isUpgraded": true]) { $1 }
        ),
        Case(
            testDescription: "restored subscription",
            facts: Samples.facts(
                subscribed {
                    $0.state = .restored
                    $0.term = Samples.term(isRenewal: true)
                    $0.original = Samples.original
                    $0.repeats = 2_500
                }
            ),
            expected: subscription.merging(originals) { $1 }
                .merging(["webOrderLineItemId": "2500", "transactionReason": "RENEWAL"]) { $1 }
        ),
    ]

    static let unpaidPeriods = [
        Case(
            testDescription: "downgrade during a period",
            facts: unpaid(Samples.period(Samples.term(isRenewal: true), paidBy: 2_500)),
            expected: subscription.merging(originals) { $1 }.merging([
                "webOrderLineItemId": "2500", "price": 0, "purchaseDate": .milliseconds(Samples.date),
            ]) { $1 }
        ),
        Case(
            testDescription: "downgrade during a period that an upgrade has ended since",
            facts: unpaid(Samples.period(Samples.term(isUpgraded: true), paidBy: 2_500)),
            expected: subscription.merging(originals) { $1 }.merging([
                "webOrderLineItemId": "2500", "price": 0, "purchaseDate": .milliseconds(Samples.date),
                "isUpgraded": true,
            ]) { $1 }
        ),
    ]

    /// A purchase that was completed later than it was requested, and that does not pay for a period itself.
    private static func unpaid(_ period: ReceiptFacts.Period) -> ReceiptFacts {
        let transaction = subscribed {
            $0.purchasedAt = Samples.date
            $0.original = Samples.original
            $0.repeats = period.lineItem
        }
        var facts = Samples.facts(transaction, sale: SaleRecord(amount: 0, currency: "USD"))
        facts.period = period
        return facts
    }

    static let revocations = [
        Case(
            testDescription: "whole refund for an issue",
            facts: Samples.facts(changed { $0.revocation = revocation(.applicationIssue, 1) }, refund: .whole),
            expected: [
                "revocationDate": .milliseconds(Samples.date), "revocationReason": 1, "revocationType": "REFUND_FULL",
                "revocationPercentage": 100_000,
            ]
        ),
        Case(
            testDescription: "refund of one of three",
            facts: Samples.facts(
                changed(Samples.transaction(.consumable, quantity: 3)) { $0.revocation = revocation(.other, 1) },
                refund: .part
            ),
            expected: [
                "type": "Consumable", "quantity": 3, "revocationDate": .milliseconds(Samples.date),
                "revocationReason": 0, "revocationType": "REFUND_PRORATED", "revocationPercentage": 33_333,
            ]
        ),
        Case(
            testDescription: "refund of two of three",
            facts: Samples.facts(
                changed(Samples.transaction(.consumable, quantity: 3)) { $0.revocation = revocation(.other, 2) },
                refund: .part
            ),
            expected: [
                "type": "Consumable", "quantity": 3, "revocationDate": .milliseconds(Samples.date),
                "revocationReason": 0, "revocationType": "REFUND_PRORATED", "revocationPercentage": 66_667,
            ]
        ),
        Case(
            testDescription: "all three taken back",
            facts: Samples.facts(
                changed(Samples.transaction(.consumable, quantity: 3)) { $0.revocation = revocation(.other, 3) },
                refund: .whole
            ),
            expected: [
                "type": "Consumable", "quantity": 3, "revocationDate": .milliseconds(Samples.date),
                "revocationReason": 0, "revocationType": "REFUND_FULL", "revocationPercentage": 100_000,
            ]
        ),
        Case(
            testDescription: "revoked without a refund",
            facts: Samples.facts(changed { $0.revocation = revocation(.other, 1) }),
            expected: [
                "revocationDate": .milliseconds(Samples.date), "revocationReason": 0, "revocationPercentage": 100_000,
            ]
        ),
        Case(
            testDescription: "one of three refunded, the others revoked without a refund",
            facts: Samples.facts(
                changed(Samples.transaction(.consumable, quantity: 3)) { $0.revocation = revocation(.other, 3) },
                refund: .part
            ),
            expected: [
                "type": "Consumable", "quantity": 3, "revocationDate": .milliseconds(Samples.date),
                "revocationReason": 0, "revocationType": "REFUND_PRORATED", "revocationPercentage": 100_000,
            ]
        ),
    ]

    static let offers = [
        offer(.introductory, nil, .freeTrial, expected: ["offerType": 1, "offerDiscountType": "FREE_TRIAL"]),
        offer(
            .promotional,
            "spring",
            .payAsYouGo,
            expected: ["offerType": 2, "offerDiscountType": "PAY_AS_YOU_GO", "offerIdentifier": "spring"]
        ),
        offer(
            .code,
            "FRIENDS",
            .payUpFront,
            expected: ["offerType": 3, "offerDiscountType": "PAY_UP_FRONT", "offerIdentifier": "FRIENDS"]
        ),
        offer(
            .winBack,
            "back",
            .payAsYouGo,
            expected: ["offerType": 4, "offerDiscountType": "PAY_AS_YOU_GO", "offerIdentifier": "back"]
        ),
    ]

    static let prices = [
        Case(
            testDescription: "unknown price",
            facts: Samples.facts(sale: nil),
            expected: [:],
            absent: ["price", "currency"]
        ),
        Case(
            testDescription: "currency without minor unit",
            facts: Samples.facts(sale: SaleRecord(amount: 500, currency: "JPY")),
            expected: ["price": 500_000, "currency": "JPY"]
        ),
        Case(
            testDescription: "currency of thousandths",
            facts: Samples.facts(sale: SaleRecord(amount: 1_250, currency: "KWD")),
            expected: ["price": 1_250, "currency": "KWD"]
        ),
        Case(
            testDescription: "price beyond all numbers",
            facts: Samples.facts(sale: SaleRecord(amount: .max, currency: "USD")),
            expected: [:],
            absent: ["price"]
        ),
        Case(
            testDescription: "free",
            facts: Samples.facts(sale: SaleRecord(amount: 0, currency: "EUR")),
            expected: ["price": 0, "currency": "EUR"]
        ),
    ]

    private static func changed(
        _ transaction: TransactionRecord = Samples.transaction(),
        _ change: (inout TransactionRecord) -> Void
    ) -> TransactionRecord {
        var transaction = transaction
        change(&transaction)
        return transaction
    }

    private static func subscribed(_ change: (inout TransactionRecord) -> Void) -> TransactionRecord {
        changed(Samples.transaction(.autoRenewableSubscription), change)
    }

    private static func revocation(_ reason: Revocation.Reason, _ quantity: Int) -> Revocation {
        Revocation(date: Samples.date, reason: reason, quantity: quantity)
    }

    private static func offer(
        _ type: SubscriptionOffer.OfferType,
        _ id: String?,
        _ mode: SubscriptionOffer.PaymentMode,
        expected: [String: JSON]
    ) -> Case {
        let transaction = subscribed {
            $0.term = Samples.term()
            $0.offer = AppliedOffer(type: type, id: id, paymentMode: mode)
        }
        return Case(
            testDescription: "\(type) offer",
            facts: Samples.facts(transaction, sale: SaleRecord(amount: 499, currency: "USD", offerPeriod: "P2W")),
            expected: subscription.merging(expected) { $1 }.merging(["offerPeriod": "P2W"]) { $1 }
        )
    }
}

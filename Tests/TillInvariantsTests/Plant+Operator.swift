import FoundationEssentials
import TillEngine
import TillInvariants
import TillModel

extension Plant {
    static let operating: [Plant] = [
        Plant("content has a wrong byte", breaks: .contentIsWhole) { story in
            story.published[0].content?.files[""]?.hash = [1, 2, 4]
        },
        Plant("content is truncated", breaks: .contentIsWhole) { $0.published[0].content?.files = [:] },
        Plant("a final name has no content", breaks: .contentIsWhole) { $0.published[0].content = nil },
        Plant("released content has a wrong byte", breaks: .contentIsWhole) { story in
            story.downloads = []
            story.published[0].content?.files[""]?.hash = [1, 2, 4]
        },
        Plant("a finished download is missing", breaks: .finishedDownloadsAreKept) { $0.published = [] },
        Plant("a finished download is active again", breaks: .finishedDownloadsAreKept) { story in
            story.downloads[0].state = .active
        },
        Plant("a link of the audit log was changed", breaks: .auditIsIntact) { $0.audit[1].reason = "Another." },
        Plant("a link of the audit log was removed", breaks: .auditIsIntact) { $0.audit.remove(at: 1) },
        Plant("a refund has no link", breaks: .actsAreAudited) { $0.refunds[2] = [Story.refund] },
        Plant("a link has no refund", breaks: .actsAreAudited) { $0.refunds = [:] },
        Plant("a setting was changed without a link", breaks: .actsAreAudited) { $0.settings["locale"] = "fr" },
        Plant("a promoted payment is not offered", breaks: .promotionsAreOffered) { story in
            story.remove { $0 == .offered(sequence: 1, Story.promotion) }
        },
        Plant("a different payment than the promoted one is offered", breaks: .promotionsAreOffered) { story in
            var other = Story.promotion
            other.quantity = 2
            story.remove { $0 == .promoted(Story.promotion) }
            story.facts.append(.promoted(other))
        },
        Plant("a revocation is not delivered", breaks: .revocationsAreDelivered) { story in
            story.remove { $0 == .revoked(sequence: 1, id: Story.coins.id) }
        },
        Plant("a move is not delivered", breaks: .storefrontMovesAreDelivered) { story in
            story.remove { $0 == Story.move }
        },
        Plant("a move is delivered with a wrong country", breaks: .storefrontMovesAreDelivered) { story in
            story.remove { $0 == Story.move }
            story.facts.append(.storefrontChanged(sequence: 2, country: "JPN"))
        },
        Plant("a move is delivered before it was ordered", breaks: .storefrontMovesAreDelivered) { story in
            story.facts.append(.storefrontMoved(country: "DEU", asked: UInt64(story.facts.count)))
        },
        Plant("a continuing payment is for another user", breaks: .acknowledgedPaymentsAreKept) { story in
            story.change(Story.continuing.id) { $0.payment.applicationUsername = "mia" }
        },
        Plant("a continuing payment continues no other", breaks: .nothingIsInvented) { story in
            story.change(Story.continuing.id) { $0.continues = UUID() }
        },
        Plant("an interrupted payment was charged, too", breaks: .failedPaymentsAreNotCharged) { story in
            story.provider.append(Story.charged(Story.interrupted, 1000))
        },
        Plant("a purchase has no receipt", breaks: .receiptsAreTrue) { story in
            story.change(Story.coins.id) { $0.receipt = nil }
        },
        Plant("a revoked purchase has its earlier receipt", breaks: .receiptsAreTrue) { story in
            story.change(Story.coins.id) {
                $0.revocation = Revocation(date: Story.date, reason: .other, quantity: 1)
            }
        },
        Plant("a receipt has a wrong price", breaks: .receiptsAreTrue) { story in
            for receipt in story.receipts.keys {
                story.receipts[receipt]?.transaction.sale?.amount += 1
            }
        },
        Plant("a subscription's receipt has no end", breaks: .receiptsAreTrue) { story in
            story.change(Story.renewal.id) { $0.productType = .autoRenewableSubscription }
            for receipt in story.receipts.keys {
                story.receipts[receipt]?.transaction.productType = .autoRenewableSubscription
                story.receipts[receipt]?.period = nil
            }
        },
        Plant("a receipt has a wrong storefront", breaks: .receiptsAreTrue) { story in
            for receipt in story.receipts.keys {
                story.receipts[receipt]?.storefront.countryCode = "DEU"
            }
        },
        Plant("a refund exceeds the payment", breaks: .refundsDoNotExceedPayments) { story in
            story.provider[0].refunded = 601
        },
        Plant("a refund has no end", breaks: .everythingEnds) { $0.refunds[1]?[0].state = .open },
        Plant("a refund was given up", breaks: .everythingEnds) { $0.refunds[1]?[0].state = .needsReview },
        Plant("an answered change has no link", breaks: .actsAreAudited) { story in
            story.facts.append(.actAnswered(action: "ChangeSettings", subject: "settings", identity: nil))
        },
    ]
}

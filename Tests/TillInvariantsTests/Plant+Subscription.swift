import FoundationEssentials
import TillEngine
import TillInvariants
import TillModel

extension Plant {
    static let subscribing: [Plant] = [
        Plant("a period begins before the last one ends", breaks: .noPeriodIsPaidTwice) { story in
            story.change(Story.renewal.id) { $0.term?.start = Story.date.addingTimeInterval(9) }
        },
        Plant("a subscription has no end", breaks: .everythingEnds) { $0.subscriptions[0].state = .subscribed },
        Plant("a charged renewal is missing", breaks: .purchasesAreCharged) { story in
            story.rows.removeAll { $0.id == Story.renewal.id }
        },
        Plant("a renewal was not charged", breaks: .purchasesAreCharged) { story in
            story.provider.removeAll { $0.paymentID == Story.renewal.id }
        },
        Plant("a renewal was charged with a wrong amount", breaks: .purchasesAreCharged) { story in
            story.provider = story.provider.map {
                $0.paymentID == Story.renewal.id ? Story.charged(Story.renewal, 250) : $0
            }
            story.changeCharge(Story.renewal.id) { $0.request.amount = 250 }
        },
        Plant("a renewal costs more than the agreed price", breaks: .purchasesAreCharged) { story in
            story.remove { $0 == Story.consent }
        },
        Plant("a higher price was agreed to for another subscription", breaks: .purchasesAreCharged) { story in
            story.remove { $0 == Story.consent }
            story.facts.append(.priceAgreed(payment: Story.pro.id, amount: 300, currency: "USD"))
        },
        Plant("a period was paid at the price of an offer that it did not have", breaks: .purchasesAreCharged) {
            story in
            story.change(Story.basic.id) { $0.offer = nil }
        },
        Plant("a period has an offer that its product does not have", breaks: .purchasesAreCharged) { story in
            story.change(Story.renewal.id) {
                $0.offer = AppliedOffer(type: .promotional, id: "a", paymentMode: .payUpFront)
            }
        },
        Plant("an offer of one period applies to two", breaks: .offersEnd) { story in
            story.change(Story.renewal.id) { $0.offer = Story.introduction }
        },
        Plant("a discount is given without a request", breaks: .offersEnd) { story in
            story.change(Story.renewal.id) {
                $0.offer = AppliedOffer(type: .promotional, id: "a", paymentMode: .payUpFront)
            }
        },
        Plant("an introductory offer is given twice", breaks: .introductionsAreGivenOnce) { story in
            story.change(Story.renewal.id) { row in
                row.offer = Story.introduction
                row.term?.isRenewal = false
            }
        },
        Plant("a renewal has no purchase", breaks: .nothingIsInvented) { story in
            story.change(Story.renewal.id) { $0.original?.id = UUID() }
        },
        Plant("a charge for a renewal has no transaction", breaks: .nothingIsInvented) { story in
            story.charges.removeAll { $0.request.paymentID == Story.renewal.id }
        },
    ]
}

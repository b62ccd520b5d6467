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
        Plant("a renewal that was charged is gone", breaks: .purchasesAreCharged) { story in
            story.rows.removeAll { $0.id == Story.renewal.id }
        },
        Plant("a renewal was not charged", breaks: .purchasesAreCharged) { story in
            story.provider.removeAll { $0.paymentID == Story.renewal.id }
        },
        Plant("a renewal was charged in another amount", breaks: .purchasesAreCharged) { story in
            story.change(Story.renewal.id) { $0.payment.productID = "pro" }
        },
        Plant("a renewal is of nothing that anybody bought", breaks: .nothingIsInvented) { story in
            story.change(Story.renewal.id) { $0.original?.id = UUID() }
        },
        Plant("a charge for a renewal is nobody's", breaks: .nothingIsInvented) { story in
            story.charges.removeAll { $0.request.paymentID == Story.renewal.id }
        },
    ]
}

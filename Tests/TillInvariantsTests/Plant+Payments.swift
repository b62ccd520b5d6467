import FoundationEssentials
import TillEngine
import TillInvariants
import TillModel

extension Plant {
    static let payments = [
        Plant("an acknowledged payment is lost", breaks: .acknowledgedPaymentsAreKept) { story in
            story.rows.removeAll { $0.id == Story.coins.id }
        },
        Plant("an acknowledged payment has a different quantity", breaks: .acknowledgedPaymentsAreKept) { story in
            story.change(Story.coins.id) { $0.payment.quantity = 3 }
        },
        Plant("the answer has a different payment", breaks: .acknowledgedPaymentsAreKept) { story in
            let other = Payment(id: Story.coins.id, productID: "pro")
            let answer = Story.seen(Story.row(1, other, .purchasing, 1, finished: false))
            story.insert(.addAcknowledged(answer)) { $0 == .addIntended(PaymentNote(Story.coins)) }
        },
        Plant("a refused payment is in the ledger", breaks: .refusedPaymentsLeaveNothing) { story in
            story.rows.append(Story.row(9, Story.invalid, .failed, 20, error: PaymentError(.unknown, "No.")))
        },
        Plant("a refused payment was charged", breaks: .refusedPaymentsLeaveNothing) { story in
            story.provider.append(Story.charged(Story.invalid, 100))
        },
        Plant("one identity has two transactions", breaks: .identitiesAreUnique) { story in
            story.rows.append(Story.row(9, Story.coins, .purchased, 20))
        },
        Plant("a transactionIdentifier changes", breaks: .identitiesAreUnique) { story in
            story.change(Story.coins.id) { $0.key = 99 }
        },
        Plant("two transactions have one transactionIdentifier", breaks: .identitiesAreUnique) { story in
            story.change(Story.gems.id) { $0.key = 1 }
        },
        Plant("another payment is accepted under a taken identity", breaks: .identitiesAreUnique) { story in
            story.facts.append(.conflictAnswered(id: Story.coins.id, code: nil))
        },
        Plant("a row without an added payment", breaks: .nothingIsInvented) { story in
            story.rows.append(Story.row(9, Payment(productID: "coins"), .purchased, 20))
        },
        Plant("a delivery that is not in the ledger", breaks: .nothingIsInvented) { story in
            let foreign = Story.row(9, Payment(productID: "coins"), .purchased, 20, finished: false)
            story.facts.append(Story.delivered(foreign, sequence: 2))
        },
        Plant("a charge without an added payment", breaks: .nothingIsInvented) { story in
            story.provider.append(Story.charged(Payment(productID: "coins"), 300))
        },
    ]

    static let charges = [
        Plant("a payment is charged twice", breaks: .paymentsAreChargedAtMostOnce) { story in
            story.provider.append(Story.charged(Story.coins, 600))
        },
        Plant("a purchase was never charged", breaks: .purchasesAreCharged) { story in
            story.provider.removeAll { $0.paymentID == Story.coins.id }
        },
        Plant("both books have the same wrong amount", breaks: .purchasesAreCharged) { story in
            story.provider = story.provider.map {
                $0.paymentID == Story.coins.id ? Story.charged(Story.coins, 300) : $0
            }
            story.changeCharge(Story.coins.id) { $0.request.amount = 300 }
        },
        Plant("a payment was charged in the wrong currency for its price", breaks: .purchasesAreCharged) { story in
            story.provider = story.provider.map {
                $0.paymentID == Story.coins.id ? Story.charged(Story.coins, 600, currency: "EUR") : $0
            }
            story.changeCharge(Story.coins.id) { $0.request.currency = "EUR" }
        },
        Plant("an owned product is charged again", breaks: .purchasesAreCharged) { story in
            story.provider.append(Story.charged(Story.proAgain, 1000))
        },
        Plant("an owned product is bought again", breaks: .ownedProductsAreNotBoughtAgain) { story in
            story.change(Story.proAgain.id) { row in
                row.original = nil
                row.isEntitlement = true
            }
        },
        Plant("a failure without money moved was charged", breaks: .failedPaymentsAreNotCharged) { story in
            story.provider.append(Story.charged(Story.declined, 100))
        },
        Plant("the provider has a different amount", breaks: .booksAgree) { story in
            story.provider = story.provider.map {
                $0.paymentID == Story.coins.id ? Story.charged(Story.coins, 601) : $0
            }
        },
        Plant("the provider has a different currency", breaks: .booksAgree) { story in
            story.provider = story.provider.map {
                $0.paymentID == Story.coins.id ? Story.charged(Story.coins, 600, currency: "EUR") : $0
            }
        },
        Plant("the ledger lacks a charge", breaks: .booksAgree) { story in
            story.charges.removeAll { $0.request.paymentID == Story.coins.id }
        },
        Plant("a charge is declined only in the ledger", breaks: .booksAgree) { story in
            story.changeCharge(Story.coins.id) { $0.state = .declined }
        },
    ]
}

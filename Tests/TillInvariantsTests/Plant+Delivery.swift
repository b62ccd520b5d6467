import FoundationEssentials
import TillEngine
import TillInvariants
import TillModel

extension Plant {
    static let order = [
        Plant("purchased becomes failed", breaks: .statesMoveForward) { story in
            story.change(Story.coins.id) { $0.state = .failed }
        },
        Plant("a finished transaction changes again", breaks: .statesMoveForward) { story in
            story.change(Story.coins.id) { $0.revision = 30 }
        },
        Plant("two states at one revision", breaks: .statesMoveForward) { story in
            story.insert(Story.delivered(Story.row(1, Story.coins, .deferred, 2, finished: false))) { $0.shows(2) }
        },
        Plant("the payment differs between sightings", breaks: .statesMoveForward) { story in
            let other = Payment(id: Story.coins.id, productID: "coins", quantity: 7)
            story.insert(Story.delivered(Story.row(1, other, .purchased, 2, finished: false))) { $0.shows(1) }
        },
        Plant("purchased has no transactionIdentifier", breaks: .statesMoveForward) { story in
            var naked = Story.row(1, Story.coins, .purchased, 2, finished: false)
                .transaction(identifiedBy: .plain)
            naked.purchase = nil
            story.insert(.delivered(sequence: 1, asked: 0, Sighting(naked))) { $0.shows(1) }
        },
        Plant("an older state after a newer one", breaks: .revisionsRise) { story in
            story.insert(Story.delivered(Story.row(1, Story.coins, .purchasing, 1, finished: false))) { $0.shows(2) }
        },
        Plant("the same revision twice", breaks: .revisionsRise) { story in
            story.insert(Story.delivered(Story.row(1, Story.coins, .purchased, 2, finished: false))) { $0.shows(2) }
        },
        Plant("a later sequence knows an older state", breaks: .revisionsRise) { story in
            let older = Story.delivered(Story.row(5, Story.gems, .purchasing, 13, finished: false), sequence: 2)
            story.insert(older) { $0 == .observing(sequence: 2) }
        },
        Plant("an answered finish is not in the ledger", breaks: .finishedStaysFinished) { story in
            story.change(Story.coins.id) { $0.finishedAt = nil }
        },
        Plant("a later sequence delivers a finished transaction", breaks: .finishedStaysFinished) { story in
            let again = Story.delivered(Story.row(1, Story.coins, .purchased, 2, finished: false), sequence: 2)
            story.insert(again) { $0 == .observing(sequence: 2) }
        },
        Plant("a finished transaction is delivered to a later request", breaks: .finishedStaysFinished) { story in
            let again = Story.delivered(Story.row(1, Story.coins, .purchased, 2, finished: false), asked: 1000)
            story.insert(again) { $0 == .finishAcknowledged(id: Story.coins.id) }
        },
        Plant("the initial delivery lacks something unfinished", breaks: .initialDeliveryIsComplete) { story in
            story.remove { $0.shows(14, sequence: 2) }
        },
        Plant("a sequence skips a final state", breaks: .nothingIsSkipped) { story in
            story.remove { $0.shows(6) }
        },
        Plant("a sequence skips the end of a restore", breaks: .nothingIsSkipped) { story in
            story.remove { $0 == .restoreEnded(sequence: 1, restore: Story.restore, count: 1) }
        },
    ]

    static let restores = [
        Plant("a restored transaction is not delivered", breaks: .restoresAreComplete) { story in
            story.remove { $0.shows(10) || $0.shows(12) }
        },
        Plant("the ledger restored nothing", breaks: .restoresAreComplete) { story in
            story.restores[0].count = 0
            story.events[0].restoredCount = 0
        },
        Plant("the ledger restored too much", breaks: .restoresAreComplete) { story in
            story.restores[0].count = 2
            story.events[0].restoredCount = 2
        },
        Plant("a restored transaction is delivered again", breaks: .statesMoveForward) { story in
            let again = Story.row(4, Story.pro, .restored, 11, finished: false, id: Story.restored, original: 2)
            story.insert(Story.delivered(again)) { $0.shows(10) }
        },
        Plant("one purchase is restored twice", breaks: .restoresAreComplete) { story in
            story.rows.append(Story.row(9, Story.pro, .restored, 18, id: Story.restore, original: 2))
            let second = Story.row(9, Story.pro, .restored, 11, finished: false, id: Story.restore, original: 2)
            story.insert(Story.delivered(second)) { $0.shows(10) }
        },
        Plant("the end comes before the restored transaction", breaks: .restoresAreComplete) { story in
            let end = Fact.restoreEnded(sequence: 1, restore: Story.restore, count: 1)
            story.remove { $0 == end }
            story.insert(end) { $0 == .restoreIntended(number: 1, username: nil) }
        },
        Plant("a restore ends twice for an observer", breaks: .restoresEndOnce) { story in
            let end = Fact.restoreEnded(sequence: 1, restore: Story.restore, count: 1)
            story.insert(end) { $0 == end }
        },
        Plant("a restore ends twice in the log", breaks: .restoresEndOnce) { story in
            story.events.append(RestoreEnd(revision: 19, restoreID: Story.restore, restoredCount: 1))
        },
        Plant("an end that the ledger does not have", breaks: .restoresEndOnce) { story in
            story.facts.append(.restoreEnded(sequence: 2, restore: UUID(), count: 0))
        },
        Plant("an end with a different count", breaks: .restoresEndOnce) { story in
            story.facts.append(.restoreEnded(sequence: 2, restore: Story.restore, count: 5))
        },
        Plant("a dropped end with a different count", breaks: .restoresEndOnce) { story in
            story.dropRestore()
            story.droppedRestores[0].count = 2
        },
        Plant("a dropped failure that ended successfully", breaks: .restoresEndOnce) { story in
            story.dropRestore()
            story.droppedRestores[0].state = .failed
        },
        Plant("a failed restore ended successfully", breaks: .restoresEndOnce) { story in
            story.restores[0].state = .failed
        },
        Plant("a call returned the count of no restore", breaks: .restoresEndOnce) { story in
            story.facts += [.restoreIntended(number: 2, username: nil), .restoreReturned(number: 2, count: 8)]
        },
        Plant("a call returned twice", breaks: .restoresEndOnce) { story in
            story.facts.append(.restoreReturned(number: 1, count: 1))
        },
    ]

    static let rest = [
        Plant("a payment is never answered", breaks: .everythingEnds) { story in
            story.facts.append(.addIntended(PaymentNote(Payment(productID: "coins"))))
        },
        Plant("a payment stays purchasing", breaks: .everythingEnds) { story in
            story.change(Story.gems.id) { $0.state = .purchasing }
        },
        Plant("a transaction stays in the queue", breaks: .everythingEnds) { story in
            story.change(Story.gems.id) { $0.finishedAt = nil }
        },
        Plant("a process does not settle", breaks: .everythingEnds) { story in
            story.remove { $0 == .settled }
        },
        Plant("a charge stays open", breaks: .everythingEnds) { story in
            story.changeCharge(Story.gems.id) { $0.state = .open }
        },
        Plant("a charge is given up", breaks: .everythingEnds) { story in
            story.changeCharge(Story.declined.id) { $0.state = .needsReview }
        },
        Plant("a restore has no end", breaks: .everythingEnds) { story in
            story.running = story.restores
        },
    ]

    static let all = payments + charges + order + restores + rest + operating + subscribing
}

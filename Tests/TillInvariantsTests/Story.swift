import FoundationEssentials
import TillEngine
import TillInvariants
import TillModel

/// A short history without violations, and its books. Tests break it.
struct Story {
    static let name = QueueName(application: "org.example.notes", account: "uid:1000")
    static let coins = Payment(productID: "coins", quantity: 2)
    static let pro = Payment(productID: "pro", applicationUsername: "mia")
    static let declined = Payment(productID: "declined")
    static let invalid = Payment(productID: "no such", quantity: 11)
    static let gems = Payment(productID: "coins")
    static let proAgain = Payment(productID: "pro")
    static let restored = UUID()
    static let restore = UUID()
    static let date = Date(timeIntervalSince1970: 1_800_000_000)

    var facts: [Fact]
    var rows: [TransactionRecord]
    var events: [RestoreEnd]
    var restores: [RestoreRecord]
    var running: [RestoreRecord] = []
    var charges: [ChargeRecord]
    var provider: [ProviderCharge]
    var downloads = [Story.download]
    var subscriptions = [Story.subscription]
    var published = [PublishedContent(download: Story.download.id, content: Story.templates)]
    var refunds: [Int64: [RefundRecord]] = [1: [Story.refund]]
    var settings = ["locale": "nl"]
    var droppedRestores: [RestoreRecord] = []
    var audit = Story.links
    /// The facts of each row's correct receipt.
    var receipts: [SignedReceipt: ReceiptFacts] = [:]

    var verdict: Verdict {
        verdict(at: .settled)
    }

    func verdict(at moment: Moment) -> Verdict {
        let entries = facts.enumerated().map { FactEntry(at: UInt64($0 + 1), run: 1, fact: $1) }
        return Verdict(
            histories: [History(name: "notes", queue: Self.name, entries: entries)],
            books: books,
            at: moment
        )
    }

    private var books: Books {
        let queue = Books.Queue(
            name: Self.name,
            transactions: rows,
            events: events,
            restores: restores,
            droppedRestores: droppedRestores,
            downloads: downloads,
            subscriptions: subscriptions
        )
        var books = Books(
            queues: [queue],
            charges: charges,
            runningRestores: running,
            provider: provider,
            prices: [
                "coins": [Price(amount: 3, currency: "USD"), Price(amount: 4, currency: "EUR")],
                "pro": [Price(amount: 10, currency: "USD")], "declined": [Price(amount: 1, currency: "USD")],
                "basic": [Price(amount: 2, currency: "USD")],
            ]
        )
        books.offers = [
            "basic": [Self.introduction: Books.Offer(prices: [Price(amount: 1, currency: "USD")], periods: 1)]
        ]
        books.receipts = receipts
        books.audit = audit
        books.settings = settings
        books.refunds = refunds
        books.published = published
        books.hosted = [Self.templates.identifier: Self.templates]
        return books
    }

    /// Drops the end of the restore from the change log.
    mutating func dropRestore() {
        droppedRestores = restores
        restores = []
        events = []
    }

    init() {
        facts = Self.firstSequence + Self.restoring + Self.operating + Self.secondSequence
        rows =
            [
                Self.row(1, Self.coins, .purchased, 3), Self.row(2, Self.pro, .purchased, 6, isEntitlement: true),
                Self.row(3, Self.declined, .failed, 9, error: PaymentError(.unknown, "No.")),
                Self.row(4, Self.pro, .restored, 12, id: Self.restored, original: 2),
                Self.row(5, Self.gems, .purchased, 17), Self.row(6, Self.proAgain, .purchased, 16, original: 2),
            ] + Self.periods + Self.interruption
        events = [RestoreEnd(revision: 11, restoreID: Self.restore, restoredCount: 1)]
        restores = [
            RestoreRecord(
                id: Self.restore,
                queue: 1,
                applicationUsername: nil,
                state: .finished,
                revision: 9,
                cursor: 2,
                count: 1,
                createdAt: Self.date,
                deadline: Self.date
            )
        ]
        charges =
            [
                Self.charge(1, Self.coins, 600, .succeeded), Self.charge(2, Self.pro, 1000, .succeeded),
                Self.charge(3, Self.declined, 100, .declined), Self.charge(5, Self.gems, 300, .succeeded),
            ] + Self.periodCharges + [Self.charge(10, Self.continuing, 1000, .succeeded)]
        provider = [
            Self.charged(Self.coins, 600), Self.charged(Self.pro, 1000), Self.charged(Self.gems, 300),
            Self.charged(Self.basic, 100), Self.charged(Self.renewal, 300), Self.charged(Self.continuing, 1000),
        ]
        moveStorefront()
        signAll()
    }
}

extension Story {
    private static var firstSequence: [Fact] {
        [
            .runStarted(processID: 1), .observing(sequence: 1), .connected(sequence: 1),
            .initialDeliveryEnded(sequence: 1), .addIntended(PaymentNote(basic)),
            .addIntended(PaymentNote(interrupted)),
        ]
            + [
                .addIntended(PaymentNote(coins)),
                .addAcknowledged(seen(row(1, coins, .purchasing, 1, finished: false))),
            ]
            + [delivered(row(1, coins, .purchasing, 1, finished: false))]
            + [delivered(row(1, coins, .purchased, 2, finished: false))]
            + [.finishIntended(id: coins.id), .finishAcknowledged(id: coins.id)]
            + [removed(row(1, coins, .purchased, 3)), .conflictAnswered(id: coins.id, code: 6)]
            + [.addIntended(PaymentNote(pro)), .addAcknowledged(seen(row(2, pro, .purchasing, 4, finished: false)))]
            + [delivered(row(2, pro, .purchased, 5, finished: false))]
            + [.finishIntended(id: pro.id), .finishAcknowledged(id: pro.id), removed(row(2, pro, .purchased, 6))]
            + [.addIntended(PaymentNote(declined))]
            + [.addAcknowledged(seen(row(3, declined, .purchasing, 7, finished: false)))]
            + [delivered(row(3, declined, .failed, 8, finished: false, error: PaymentError(.unknown, "No.")))]
            + [.finishIntended(id: declined.id), .finishAcknowledged(id: declined.id)]
            + [removed(row(3, declined, .failed, 9, error: PaymentError(.unknown, "No.")))]
            + [.addIntended(PaymentNote(invalid)), .addRefused(id: invalid.id, code: 3)]
    }

    private static var restoring: [Fact] {
        [.restoreIntended(number: 1, username: nil)]
            + [delivered(row(4, pro, .restored, 10, finished: false, id: restored, original: 2))]
            + [.restoreEnded(sequence: 1, restore: restore, count: 1), .restoreReturned(number: 1, count: 1)]
            + [.finishIntended(id: restored), .finishAcknowledged(id: restored)]
            + [removed(row(4, pro, .restored, 12, id: restored, original: 2))]
    }

    private static var secondSequence: [Fact] {
        [.addIntended(PaymentNote(gems)), .addAcknowledged(seen(row(5, gems, .purchasing, 13, finished: false)))]
            + [delivered(row(5, gems, .purchased, 14, finished: false)), .observing(sequence: 2)]
            + [
                delivered(row(5, gems, .purchased, 14, finished: false), sequence: 2),
                .initialDeliveryEnded(sequence: 2),
            ]
            + [.addIntended(PaymentNote(proAgain))]
            + [.addAcknowledged(seen(row(6, proAgain, .purchased, 15, finished: false, original: 2)))]
            + [delivered(row(6, proAgain, .purchased, 15, finished: false, original: 2), sequence: 2)]
            + [.finishIntended(id: proAgain.id), .finishAcknowledged(id: proAgain.id)]
            + [removed(row(6, proAgain, .purchased, 16, original: 2), sequence: 2)]
            + [.finishIntended(id: gems.id), .finishAcknowledged(id: gems.id)]
            + [removed(row(5, gems, .purchased, 17), sequence: 2), .settled, .runEnded]
    }
}

import FoundationEssentials
import Glibc
import NIOConcurrencyHelpers
import Testing
@testable import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

@Suite("Receipts that are signed before the commit that stores them", .timeLimit(.minutes(10)))
struct SignedAheadTests {
    @Test(arguments: ["coins", "pro"])
    func aPaidPurchaseIsSignedOutsideOfCommits(product: String) async throws {
        let ledger = NotingLedger()
        try await EngineHarness(ledger: ledger, receipts: ledger).run { harness in
            let bought = try await harness.buy(product)
            #expect(bought.receipt?.hasPrefix("header.\(product).purchased") == true)
        }
        #expect(ledger.signedWithinCommits == [false])
    }

    /// Its period is known only to the commit.
    @Test func aSubscriptionIsSignedByItsCommit() async throws {
        let ledger = NotingLedger()
        try await EngineHarness(ledger: ledger, receipts: ledger).run { harness in
            let bought = try await harness.buy("monthly")
            #expect(bought.receipt == "header.monthly.purchased.299-USD.term.USA")
        }
        #expect(ledger.signedWithinCommits == [true])
    }

    @Test func aChargeThatIsFoundIsSignedByItsCommit() async throws {
        let ledger = NotingLedger()
        let gate = Gate()
        let payment = Payment(productID: "coins")
        try await EngineHarness(ledger: ledger, gated: GatedProvider(charges: gate)).run { harness in
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            harness.engine.stop()
            gate.open()
        }
        // As one does that finds a charge whose outcome nobody stored.
        try await ledger.commit { ledger in
            var charge = try #require(try ledger.charge(key: 1))
            var transaction = try #require(try ledger.transaction(payment.id))
            charge.state = .open
            charge.reference = nil
            charge.attempts = 0
            transaction.wait(.purchasing, for: .provider)
            transaction.receipt = nil
            transaction.revision = try ledger.advanceRevision(ofQueue: charge.queue)
            try ledger.update(charge)
            try ledger.update(transaction)
        }
        try await EngineHarness(ledger: ledger, receipts: ledger).run { harness in
            _ = try await harness.final(payment.id, after: 0)
        }
        #expect(ledger.signedWithinCommits == [true])
    }

    @Test func thePagesOfARestoreAreSignedOutsideOfCommits() async throws {
        let count = 2 * Restoring.page + 5
        let ledger = NotingLedger()
        try await EngineHarness.owning(count, ledger: ledger, receipts: ledger).run { harness in
            let restored = try await harness.restore().compactMap(\.transaction)
            #expect(restored.count == count)
            #expect(restored.allSatisfy { $0.receipt?.contains(".restored") == true })
        }
        #expect(ledger.signedWithinCommits == Array(repeating: false, count: count))
    }

    /// The second purchase changes after its receipt was signed.
    @Test func aPurchaseThatChangedSinceItsPageWasSignedIsSignedAgain() async throws {
        let restored = try await Self.restorePage(of: 3) { facts, context in
            let ahead = facts.map { _ in Result<_, any Error>.success(SignedReceipt(header: "", body: "ahead")) }
            var changed = try #require(try context.ledger.transaction(key: 2))
            changed.sale = SaleRecord(amount: 299, currency: "USD")
            try context.updateSilently(changed)
            return SignedPage(facts, ahead)
        }
        #expect(restored.map { $0.receipt?.body } == ["ahead", "product1.restored.299-USD.original.USA", "ahead"])
        #expect(restored.map(\.repeats) == [1, 2, 3])
    }

    @Test func aPageThatCouldNotBeSignedAheadIsSignedByItsCommit() async throws {
        let restored = try await Self.restorePage(of: 2) { _, _ in SignedPage() }
        #expect(
            restored.map { $0.receipt?.body } == ["product0.restored.original.USA", "product1.restored.original.USA"]
        )
    }

    /// Restores a page of purchases in one commit, a second after it was signed.
    private static func restorePage(
        of count: Int,
        signedBy sign: @escaping @Sendable ([ReceiptFacts], inout CommandContext) throws -> SignedPage
    ) async throws -> [TransactionRecord] {
        let harness = try await EngineHarness.owning(count)
        let restoring = harness.engine.parts.restoring
        return try await harness.ledger.commit { ledger in
            var context = CommandContext(ledger: ledger, now: harness.time.now())
            let queue = try context.queue(EngineHarness.notes)
            let restore = try restoring.begin(UUID(), applicationUsername: nil, in: queue.name, &context).get()
            let facts = try restoring.facts(ofPageOf: restore, in: queue, afterKey: 0, at: context.now, ledger)
            let page = try sign(facts, &context)
            context.now += 1
            _ = try restoring.restorePage(restore.id, signedAhead: page, &context)
            return try ledger.unfinishedTransactions(in: queue.key, afterKey: 0, limit: count + 1)
        }
    }

    /// A payment's charge, which the provider has not answered.
    private static func addedJob(_ harness: EngineHarness) async throws -> ChargeJob {
        let payment = Payment(productID: "coins")
        _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
        return try await harness.ledger.read { ledger in
            ChargeJob(
                charge: try #require(try ledger.charge(key: 1)),
                transaction: try ledger.transaction(payment.id)
            )
        }
    }

    struct Change: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var hasSameContents: Bool
        var apply: @Sendable (inout ReceiptFacts) -> Void

        init(_ name: String, hasSameContents: Bool = false, _ apply: @escaping @Sendable (inout ReceiptFacts) -> Void) {
            testDescription = name
            self.hasSameContents = hasSameContents
            self.apply = apply
        }
    }

    static let changes = [
        Change("nothing", hasSameContents: true) { _ in },
        Change("when it was signed", hasSameContents: true) { $0.date += 1 },
        Change("downloads", hasSameContents: true) { $0.transaction.hasDownloads.toggle() },
        Change("the application") { $0.application += "x" },
        Change("the queue") { $0.queue += 1 },
        Change("what was paid") { $0.transaction.sale?.amount += 1 },
        Change("the currency") { $0.transaction.sale?.currency = "EUR" },
        Change("the country") { $0.storefront.countryCode = "DEU" },
        Change("the transaction's key") { $0.transaction.key += 1 },
        Change("the username") { $0.transaction.payment.applicationUsername = "other" },
        Change("a change of the transaction") { $0.transaction.revision += 1 },
        Change("an original") { $0.transaction.original = $0.transaction.asOriginal },
    ]

    @Test(arguments: changes)
    func aReceiptSignedAheadIsUsedIfItsFactsStillHold(change: Change) async throws {
        let gate = Gate()
        try await EngineHarness(gated: GatedProvider(charges: gate)).run { harness in
            let job = try await Self.addedJob(harness)
            var ahead = try #require(
                harness.engine.parts.receipts.signAhead(job, .succeeded(reference: "r"), at: harness.time.now())
            )
            change.apply(&ahead.facts)
            ahead.receipt.body = "ahead"
            let talk = ProviderTalk(charge: job.charge.key, notes: [])
            try await harness.engine.chargeJobs.settle(talk, .succeeded(reference: "r"), signedAhead: ahead)
            let stored = try await harness.ledger.read { try $0.transaction(job.charge.request.paymentID) }
            #expect(stored?.receipt?.body == (change.hasSameContents ? "ahead" : "coins.purchased.99-USD.USA"))
            gate.open()
        }
    }

    @Test func aDeclinedPurchaseIsNotSigned() async throws {
        let gate = Gate()
        try await EngineHarness(gated: GatedProvider(charges: gate)).run { harness in
            let job = try await Self.addedJob(harness)
            let declined = DefiniteOutcome.declined(PaymentError(.unknown, "No."))
            #expect(harness.engine.parts.receipts.signAhead(job, declined, at: harness.time.now()) == nil)
            gate.open()
        }
    }
}

/// A ledger in memory, and a signer that notes whether it is called within one of its commits.
private final class NotingLedger: Ledger, ReceiptSigner {
    /// The thread that commits.
    private let committing = NIOLockedValueBox<pthread_t?>(nil)
    private let memory = MemoryLedger()
    private let notes = NIOLockedValueBox<[Bool]>([])

    var signedWithinCommits: [Bool] {
        notes.withLockedValue { $0 }
    }

    var id: UUID {
        memory.id
    }

    var numbering: LedgerNumbering {
        memory.numbering
    }

    func commit<Value: Sendable>(_ work: @escaping @Sendable (any LedgerWriter) throws -> Value) async throws -> Value {
        try await memory.commit { ledger in
            self.committing.withLockedValue { $0 = pthread_self() }
            defer { self.committing.withLockedValue { $0 = nil } }
            return try work(ledger)
        }
    }

    func read<Value: Sendable>(_ work: @escaping @Sendable (any LedgerReader) throws -> Value) async throws -> Value {
        try await memory.read(work)
    }

    func sign(_ facts: ReceiptFacts) throws -> SignedReceipt {
        let isCommitting = committing.withLockedValue { $0 == pthread_self() }
        notes.withLockedValue { $0.append(isCommitting) }
        return try PlainSigner().sign(facts)
    }

    func sign(_ facts: ApplicationReceiptFacts) throws -> SignedReceipt {
        try PlainSigner().sign(facts)
    }

    func sign(_ facts: RenewalFacts) throws -> SignedReceipt {
        try PlainSigner().sign(facts)
    }

    var rootCertificate: [UInt8] {
        PlainSigner().rootCertificate
    }
}

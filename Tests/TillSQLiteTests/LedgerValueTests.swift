import FoundationEssentials
import TillEngine
import TillModel
import Testing

@Suite("Every ledger: values come back as they went in")
struct LedgerValueTests {
    static let texts = [
        "", "anna", "caf\u{E9}", "cafe\u{301}",
        "👩‍👩‍👧‍👦", "a\u{1}b", "\u{FFFD}", "\n\t'\";--", "\u{10FFFF}",
    ]

    @Test(arguments: LedgerKind.allCases, texts.map(Optional.some) + [nil])
    func usernameKeepsItsBytes(_ kind: LedgerKind, _ username: String?) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let record = try await ledger.insert(.sample(queue, revision: 1, username: username))
            let found = try await ledger.read { try $0.transaction(key: record.key) }
            #expect(found == record)
            #expect(found?.payment.applicationUsername.map { Array($0.utf8) } == username.map { Array($0.utf8) })
        }
    }

    @Test(arguments: LedgerKind.allCases, [nil, [], [0], Array(0...255)] as [[UInt8]?])
    func requestDataKeepsItsBytes(_ kind: LedgerKind, _ data: [UInt8]?) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            var record = TransactionRecord.sample(queue, revision: 1)
            record.payment.requestData = data
            let stored = try await ledger.insert(record)
            let found = try await ledger.read { try $0.transaction(key: stored.key) }
            #expect(found == stored)
            #expect(found?.payment.requestData == data)
        }
    }

    @Test(arguments: LedgerKind.allCases, texts)
    func wholeTransactionComesBack(_ kind: LedgerKind, _ text: String) async throws {
        try await kind.withLedger { ledger in
            let original = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            let subscription = try await ledger.insert(SubscriptionRecord.sample(original))
            var record = TransactionRecord.whole(original.queue, subscription: subscription.key, text)
            record.original = original.asOriginal
            let stored = try await ledger.insert(record)
            let found = try #require(await ledger.read { try $0.transaction(stored.id) })
            #expect(found == stored)
            #expect(found.payment.productID.utf8.elementsEqual(text.utf8))
            #expect(found.error?.message.utf8.elementsEqual(text.utf8) == true)
            #expect(found.offer?.id?.utf8.elementsEqual(text.utf8) == true)
            #expect(found.term?.groupID.utf8.elementsEqual(text.utf8) == true)
            #expect(found.receipt?.header.utf8.elementsEqual(text.utf8) == true)
            #expect(found.receipt?.body.utf8.elementsEqual((text + "!").utf8) == true)
        }
    }

    @Test(arguments: LedgerKind.allCases, texts)
    func wholeChargeComesBack(_ kind: LedgerKind, _ text: String) async throws {
        try await kind.withLedger { ledger in
            let record = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            let subscription = try await ledger.insert(SubscriptionRecord.sample(record))
            var charge = ChargeRecord.sample(record.queue, record.key, subscription: subscription.key, product: text)
            charge.request.application = text
            charge.request.account = text
            charge.request.currency = text
            charge.request.amount = .max
            charge.attempts = .max
            charge.reference = text
            let stored = try await ledger.insert(charge)
            let found = try #require(await ledger.read { try $0.charge(key: stored.key) })
            #expect(found == stored)
            #expect(found.reference?.utf8.elementsEqual(text.utf8) == true)
            #expect(found.exclusiveGroup?.utf8.elementsEqual(text.utf8) == true)
        }
    }

    @Test(arguments: LedgerKind.allCases, texts)
    func wholeSubscriptionComesBack(_ kind: LedgerKind, _ text: String) async throws {
        try await kind.withLedger { ledger in
            let original = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            let stored = try await ledger.insert(SubscriptionRecord.whole(original, text))
            let found = try #require(await ledger.read { try $0.subscription(key: stored.key) })
            #expect(found == stored)
            #expect(found.groupID.utf8.elementsEqual(text.utf8))
            #expect(found.offer?.offer.id?.utf8.elementsEqual(text.utf8) == true)
        }
    }

    @Test(arguments: LedgerKind.allCases, texts)
    func everyKindOfEventComesBack(_ kind: LedgerKind, _ text: String) async throws {
        let plain = Payment(productID: text)
        let kinds: [EventRecord.Kind] = [
            .restoreFinished(id: .version7(), count: .max), .restoreFailed(id: .version7(), error: .whole(text)),
            .restoreFailed(id: .version7(), error: PaymentError(.unknown, text)), .storePaymentRequested(.whole(text)),
            .storePaymentRequested(plain), .storefrontChanged(Storefront(countryCode: text, identifier: text)),
        ]
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let events = kinds.enumerated().map { number, kind in
                EventRecord(queue: queue, revision: UInt64(number), kind: kind, isPending: number.isMultiple(of: 2))
            }
            try await ledger.commit { writer in
                try writer.insert(EventRecord(queue: queue, revision: UInt64(Int64.max), kind: kinds[0]))
                try events.forEach(writer.insert)
            }
            let found = try await ledger.read { try $0.events(in: queue, after: 0, limit: 99) }
            #expect(found.dropLast() == events[1...])
            #expect(
                try await ledger.read { try $0.pendingEvents(in: queue, revisions: 0...0, limit: 9) } == [events[0]]
            )
        }
    }

    @Test(arguments: LedgerKind.allCases, texts)
    func wholeRefundAndRestoreComeBack(_ kind: LedgerKind, _ text: String) async throws {
        try await kind.withLedger { ledger in
            let record = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            var refund = RefundRecord.sample(record, state: .needsReview)
            refund.quantity = 10
            refund.amount = .max
            refund.keepsMoney = true
            refund.currency = text
            refund.reason = .applicationIssue
            refund.attempts = .max
            refund.reference = text
            var restore = RestoreRecord.sample(record.queue, username: text)
            restore.state = .failed
            restore.cursor = .max
            restore.count = 5
            restore.total = .max
            restore.error = .whole(text)
            let (storedRefund, storedRestore) = (refund, restore)
            try await ledger.commit { writer in
                try writer.insert(storedRefund)
                try writer.insert(storedRestore)
            }
            #expect(try await ledger.read { try $0.refund(storedRefund.id) } == storedRefund)
            #expect(try await ledger.read { try $0.restore(storedRestore.id) } == storedRestore)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func everyStateComesBack(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            for state in TransactionState.allCases {
                let record = try await ledger.insert(.sample(queue, revision: UInt64(state.rawValue), state: state))
                #expect(try await ledger.read { try $0.transaction(record.id)?.state } == state)
            }
            for state in RestoreState.allCases {
                var restore = RestoreRecord.sample(queue)
                restore.state = state
                let inserted = restore
                try await ledger.commit { try $0.insert(inserted) }
                #expect(try await ledger.read { try $0.restore(inserted.id) } == inserted)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func everyValueOfWhatATransactionHasComesBack(_ kind: LedgerKind) async throws {
        var variants: [@Sendable (inout TransactionRecord) -> Void] = []
        variants += ProductType.allCases.map { type in { $0.productType = type } }
        variants += Blocker.allCases.map { blocker in { $0.blocker = blocker } }
        variants += Revocation.Reason.allCases.map { reason in { $0.revocation?.reason = reason } }
        variants += FailureReason.allCases.map { reason in { $0.error?.reason = reason } }
        variants += SubscriptionOffer.OfferType.allCases.map { type in { $0.offer?.type = type } }
        variants += SubscriptionOffer.PaymentMode.allCases.map { mode in { $0.offer?.paymentMode = mode } }
        variants += [
            { $0.productType = nil }, { $0.blocker = nil }, { $0.deadline = nil }, { $0.continues = nil },
            { $0.isInterrupted = false }, { $0.offer = nil }, { $0.offer?.id = nil }, { $0.term = nil },
            { $0.term?.isRenewal = false }, { $0.term?.isUpgraded = false }, { $0.revocation = nil },
            { $0.isRevocationPending = false }, { $0.error = nil }, { $0.finishedAt = nil }, { $0.receipt = nil },
            { $0.purchasedAt = nil }, { $0.sale = nil }, { $0.sale?.storefront = nil }, { $0.sale?.offerPeriod = nil },
            { $0.receipt?.header = "" }, { $0.receipt?.body = "" }, { $0.hasDownloads = false },
            { $0.openDisputes = [] }, { $0.openDisputes = ["du_1"] },
        ]
        let changes = variants
        try await kind.withLedger { ledger in
            let original = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1_000))
            let subscription = try await ledger.insert(SubscriptionRecord.sample(original))
            let records = changes.enumerated().map { number, change in
                var record = TransactionRecord.whole(original.queue, subscription: subscription.key)
                record.revision = UInt64(number)
                change(&record)
                return record
            }
            let stored = try await ledger.insert(records)
            let found = try await ledger.read { reader in try stored.map { try reader.transaction(key: $0.key) } }
            #expect(found == stored)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func everyValueOfWhatASubscriptionHasComesBack(_ kind: LedgerKind) async throws {
        var variants: [@Sendable (inout SubscriptionRecord) -> Void] = []
        variants += SubscriptionState.allCases.map { state in { $0.state = state } }
        variants += PriceConsent.allCases.map { consent in { $0.priceConsent = consent } }
        variants += ExpirationReason.allCases.map { reason in { $0.expirationReason = reason } }
        variants += [
            { $0.offer = nil }, { $0.offer?.offer.id = nil }, { $0.announcedAmount = nil }, { $0.graceEnd = nil },
            { $0.retryEnd = nil }, { $0.expirationReason = nil }, { $0.dueAt = nil }, { $0.willRenew = true },
            { $0.hasUsedIntroductoryOffer = false },
        ]
        let changes = variants
        try await kind.withLedger { ledger in
            let original = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            for (number, change) in changes.enumerated() {
                var record = SubscriptionRecord.whole(original)
                record.groupID = "group \(number)"
                change(&record)
                let stored = try await ledger.insert(record)
                #expect(try await ledger.read { try $0.subscription(key: stored.key) } == stored)
            }
        }
    }
}

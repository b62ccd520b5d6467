import FoundationEssentials
import TTRPC
import Testing
import TillClient
import TillModel
import TillTesting
import TillWire

@Suite(.timeLimit(.minutes(10))) struct OperatorTests {
    /// A call of the client, its request and answer, and whether the method returns the answer.
    struct Case: Sendable, CustomTestStringConvertible {
        var method: OperatorMethod
        var sent: [UInt8]
        var answer: [UInt8]
        var isReturned: @Sendable (TillOperator) async throws -> Bool

        var testDescription: String {
            method.rawValue
        }

        init<Response: WireMessage>(
            _ method: OperatorMethod,
            _ request: some WireMessage,
            _ response: Response,
            _ isReturned: @escaping @Sendable (TillOperator) async throws -> Bool
        ) {
            self.method = method
            sent = request.wireBytes()
            answer = response.wireBytes()
            self.isReturned = isReturned
        }
    }

    private static let id = UUID(high: 1, low: 1)
    private static let transaction = Transaction(
        id: id,
        revision: 1,
        state: .purchased,
        payment: Payment(id: id, productID: "pro")
    )
    private static let status = SubscriptionStatus(
        groupID: "g",
        productID: "pro",
        renewalProductID: "pro",
        state: .subscribed,
        expirationDate: Date(timeIntervalSince1970: 60),
        willAutoRenew: true,
        renewalPrice: Price(amount: 5, currency: "USD"),
        originalID: id,
        originalTransactionIdentifier: "1",
        latestID: id
    )
    private static let order = RefundOrder(id: UUID(high: 2, low: 2), transactionID: id, quantity: 1)
    private static let refund = RefundSummary(
        id: order.id,
        quantity: 1,
        amount: 499,
        currency: "USD",
        reason: .other,
        state: .succeeded,
        createdAt: Date(timeIntervalSince1970: 0)
    )
    private static let reading = ClockReading(
        now: Date(timeIntervalSince1970: 60),
        offset: .seconds(60),
        isAdjustable: true
    )
    private static let settings = [Setting(name: "locale", value: "de", domain: "a tag", isChanged: true)]

    static let cases = transactionCases + subscriptionCases + storeCases

    private static let transactionCases: [Case] = [
        Case(
            .listTransactions,
            FindTransactionsRequest(filter: TransactionFilter(attention: .needsReview)),
            FindTransactionsResponse(
                transactions: [OperatorTransaction(application: "a", account: "uid:1", transaction: transaction)]
            )
        ) { client in
            var found: [Transaction] = []
            for try await item in client.transactions(matching: TransactionFilter(attention: .needsReview)) {
                found.append(item.transaction)
            }
            return found == [transaction]
        },
        Case(
            .explain,
            ExplainRequest(transactionID: id),
            Explanation(application: "a", account: "uid:1", transaction: transaction, sentence: "It is owned.")
        ) { client in
            try await client.explanation(ofTransaction: id).sentence == "It is owned."
        },
        Case(
            .resolve,
            ResolveRequest(transactionID: id, reason: "r", outcome: .charged(reference: "ch")),
            ResolveResponse(transaction: transaction)
        ) { client in
            try await client.resolve(id, review: .charged(reference: "ch"), because: "r") == transaction
        },
        Case(
            .refund,
            RefundRequest(order: order, reason: "r"),
            RefundResponse(refund: refund, transaction: transaction)
        ) { client in
            try await client.refund(order, because: "r") == (refund, transaction)
        },
        Case(
            .rebuildReceipt,
            RebuildReceiptRequest(transactionID: id, reason: "r"),
            RebuildReceiptResponse(transaction: transaction)
        ) { client in
            try await client.rebuildReceipt(of: id, because: "r") == transaction
        },
        Case(
            .promote,
            PromoteRequest(application: "a", account: "uid:1", payment: transaction.payment, reason: "r"),
            PromoteResponse()
        ) { client in
            try await client.promote(transaction.payment, toApplication: "a", account: "uid:1", because: "r")
            return true
        },
    ]

    private static let subscriptionCases: [Case] = [
        action(.expireSubscription) { try await $0.expireSubscription(id, because: "r") },
        action(.renewSubscription) { try await $0.renewSubscription(id, because: "r") },
        action(.enableAutoRenew) { try await $0.setAutoRenew(id, to: true, because: "r") },
        action(.disableAutoRenew) { try await $0.setAutoRenew(id, to: false, because: "r") },
        Case(
            .requestPriceConsent,
            RequestPriceConsentRequest(transactionID: id, reason: "r", amount: 6),
            SubscriptionActionResponse(status: status)
        ) { client in
            try await client.requestPriceConsent(id, amount: 6, because: "r") == status
        },
        Case(
            .answerPriceConsent,
            AnswerPriceConsentRequest(transactionID: id, reason: "r", agrees: true),
            SubscriptionActionResponse(status: status)
        ) { client in
            try await client.answerPriceConsent(id, agrees: true, because: "r") == status
        },
    ]

    private static let storeCases: [Case] = [
        Case(.settings, SettingsRequest(), SettingsResponse(settings: settings)) { client in
            try await client.settings() == settings
        },
        Case(
            .changeSettings,
            ChangeSettingsRequest(
                changes: [SettingChange(name: "locale", value: "de"), SettingChange(name: "storefront", value: nil)],
                resetAll: true,
                reason: "r"
            ),
            SettingsResponse(settings: settings)
        ) { client in
            let changes: [String: String?] = ["storefront": nil, "locale": "de"]
            return try await client.changeSettings(changes, resetsAll: true, because: "r") == settings
        },
        Case(.clock, ClockRequest(), reading) { client in
            try await client.clock() == reading
        },
        Case(.advanceClock, AdvanceClockRequest(by: .seconds(60), reason: "r"), reading) { client in
            try await client.advanceClock(by: .seconds(60), because: "r") == reading
        },
        Case(
            .reconcile,
            ReconcileRequest(pageToken: 7),
            ReconciliationPage(rows: [], next: 9, agrees: true, compared: 3)
        ) { client in
            try await client.reconcile(page: 7).next == 9
        },
        Case(.audit, AuditRequest(afterSequence: 4), AuditResponse(links: [])) { client in
            var iterator = client.auditLog(after: 4).makeAsyncIterator()
            return try await iterator.next() == nil
        },
        Case(
            .metrics,
            MetricsRequest(),
            MetricsResponse(samples: [MetricSample(name: "till_serving", value: 1)])
        ) { client in
            try await client.metrics() == [MetricSample(name: "till_serving", value: 1)]
        },
        Case(.hosts, HostsRequest(), HostsResponse(hosts: [Self.host])) { client in
            try await client.hosts() == [Self.host]
        },
        Case(.openConsole, OpenConsoleRequest(readOnly: true), Self.invitation) { client in
            try await client.openConsole(readOnly: true) == Self.invitation
        },
    ]

    private static let host = LedgerHost(
        name: "kiosk-1",
        isLive: true,
        isAnswering: true,
        openedAt: Date(timeIntervalSince1970: 1),
        commits: 7,
        version: "1.0",
        catalogueHash: [1],
        configurationHash: [2]
    )

    private static let invitation = ConsoleInvitation(
        address: "127.0.0.1:8481",
        secret: "s",
        validFor: .seconds(60)
    )

    private static func action(
        _ method: OperatorMethod,
        _ call: @escaping @Sendable (TillOperator) async throws -> SubscriptionStatus
    ) -> Case {
        Case(
            method,
            SubscriptionActionRequest(transactionID: id, reason: "r"),
            SubscriptionActionResponse(status: status)
        ) { try await call($0) == status }
    }

    @Test(arguments: cases)
    func aMethodSendsItsRequestAndReturnsItsAnswer(_ example: Case) async throws {
        try await ScriptedDaemon.run { daemon in
            let received = Collector<[UInt8]>()
            var methods = MethodTable()
            methods[OperatorMethod.service, example.method.rawValue] = .unary { (_, bytes) in
                received.append(bytes)
                return example.answer
            }
            try await daemon.serving(methods) {
                let isReturned = try await example.isReturned(TillOperator(daemon.configuration))
                #expect(isReturned)
            }
            #expect(received.values == [example.sent])
        }
    }

    /// `BackupTests` and `ExportStreamTests` have those that stream.
    @Test func everyMethodOfTheServiceHasAClientMethod() {
        #expect(Set(Self.cases.map(\.method)).union([.backup, .export]) == Set(OperatorMethod.allCases))
    }

    /// Only requests that have an identity or change nothing are retried. A later page of a reconciliation is not: it belongs
    /// to its connection.
    @Test(arguments: cases)
    func aChangeWithoutAnIdentityIsSentOnce(_ example: Case) async throws {
        let isRetried = [
            .listTransactions, .explain, .refund, .settings, .clock, .audit, .openConsole, .metrics, .hosts,
        ].contains(example.method)
        try await ScriptedDaemon.run { daemon in
            let received = Collector<[UInt8]>()
            var methods = MethodTable()
            methods[OperatorMethod.service, example.method.rawValue] = .unary { (_, bytes) async throws(RPCError) in
                received.append(bytes)
                guard received.values.count > 1 else {
                    throw RPCError(code: .unavailable, message: "Lost.")
                }
                return example.answer
            }
            try await daemon.serving(methods) {
                let client = TillOperator(daemon.configuration)
                if isRetried {
                    let isReturned = try await example.isReturned(client)
                    #expect(isReturned)
                } else {
                    await expect(.unavailable) { _ = try await example.isReturned(client) }
                }
            }
            #expect(received.values == Array(repeating: example.sent, count: isRetried ? 2 : 1))
        }
    }

    @Test func theAuditLogIsReadToItsEnd() async throws {
        let links = (1...5).map { number in
            AuditLink(
                sequence: Int64(number),
                date: Date(timeIntervalSince1970: 0),
                uid: 0,
                action: "Refund",
                subject: "",
                detail: "",
                reason: "r",
                previousHash: [],
                hash: []
            )
        }
        try await ScriptedDaemon.run { daemon in
            var methods = MethodTable()
            methods.answer { (request: AuditRequest) in
                AuditResponse(links: Array(links.filter { $0.sequence > request.afterSequence }.prefix(2)))
            }
            try await daemon.serving(methods) {
                var read: [Int64] = []
                for try await link in TillOperator(daemon.configuration).auditLog() {
                    read.append(link.sequence)
                }
                #expect(read == [1, 2, 3, 4, 5])
            }
        }
    }
}

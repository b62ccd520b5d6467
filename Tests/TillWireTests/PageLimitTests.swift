import FoundationEssentials
import TillModel
import TillWire
import Testing

/// The largest pages of entitlements, requests and operators' lists are within the limits of a client.
@Suite struct PageLimitTests {
    /// The default limit of a frame's data.
    private let frameBytesMaximum = 256 << 10
    private let identifier = String(repeating: "i", count: Identifier.maximumBytes)
    /// The longest text of a catalogue, and of an explanation.
    private let text = String(repeating: "t", count: Explanation.textMaximumBytes)
    private let reason = String(repeating: "r", count: WireProtocol.reasonMaximumBytes)

    private var price: Price {
        Price(amount: Decimal(string: "999999999999.999999999999") ?? 0, currency: "USD")
    }

    private var status: SubscriptionStatus {
        var status = Sample.status
        status.groupID = identifier
        status.productID = identifier
        status.renewalProductID = identifier
        status.renewalPrice = price
        status.originalTransactionIdentifier = "\(Int64.max)"
        return status
    }

    private var entitlement: Entitlement {
        var entitlement = Sample.entitlement
        entitlement.productID = identifier
        entitlement.transactionIdentifier = "\(Int64.max)"
        entitlement.subscription = status
        return entitlement
    }

    private var request: AuthorizationRequest {
        var request = Sample.authorization
        request.application = identifier
        request.account = identifier
        request.productID = identifier
        request.displayName = text
        request.price = price
        request.applicationUsername = String(repeating: "u", count: Payment.applicationUsernameMaximumBytes)
        return request
    }

    @Test func theLargestPagesOfEntitlementsAreRead() throws {
        let count = WireProtocol.pageMaximum
        try expectReadable(EntitlementsResponse(entitlements: .init(repeating: entitlement, count: count)))
        try expectReadable(SubscriptionsResponse(subscriptions: .init(repeating: status, count: count)))
    }

    @Test func theLargestPageOfRequestsIsRead() throws {
        try expectReadable(
            ListAuthorizationRequestsResponse(requests: .init(repeating: request, count: WireProtocol.pageMaximum))
        )
    }

    @Test func theLargestPageOfAnOperatorsTransactionsIsRead() throws {
        let found = OperatorTransaction(
            application: identifier,
            account: identifier,
            transaction: LimitTests.largest,
            needsReview: true
        )
        try expectReadable(
            FindTransactionsResponse(transactions: .init(repeating: found, count: WireProtocol.pageMaximum))
        )
    }

    @Test func theLargestExplanationIsRead() throws {
        var charge = Sample.charge
        charge.reference = text
        var refund = Sample.refund
        refund.reference = text
        try expectReadable(
            Explanation(
                application: identifier,
                account: identifier,
                transaction: LimitTests.largest,
                sentence: text,
                actions: .init(repeating: text, count: Explanation.actionsMaximum),
                history: .init(
                    repeating: HistoryEntry(date: Sample.date(1), kind: .delivery, actor: identifier, detail: text),
                    count: Explanation.historyMaximum
                ),
                charges: .init(repeating: charge, count: Explanation.chargesMaximum),
                refunds: .init(repeating: refund, count: Explanation.refundsMaximum)
            )
        )
    }

    @Test func theLargestPageOfAReconciliationIsRead() throws {
        var row = Sample.row
        row.productID = identifier
        row.reference = text
        let rows = [ReconciliationRow](repeating: row, count: ReconciliationPage.rowsMaximum)
        try expectReadable(ReconciliationPage(rows: rows, next: .max, agrees: true, compared: .max, discarded: .max))
    }

    @Test func theLargestPageOfTheAuditLogIsRead() throws {
        var link = Sample.link
        link.host = String(repeating: "n", count: 63)
        link.action = identifier
        link.subject = identifier + identifier
        link.detail = text + text
        link.reason = reason
        link.previousHash = .init(repeating: 1, count: 32)
        link.hash = .init(repeating: 1, count: 32)
        try expectReadable(AuditResponse(links: .init(repeating: link, count: WireProtocol.auditLinksMaximum)))
    }

    @Test func theLargestListOfHostsIsRead() throws {
        var host = Sample.host
        host.name = String(repeating: "n", count: 63)
        host.version = String(repeating: "v", count: 64)
        host.catalogueHash = .init(repeating: 1, count: 32)
        host.configurationHash = .init(repeating: 1, count: 32)
        try expectReadable(HostsResponse(hosts: .init(repeating: host, count: WireProtocol.hostsMaximum)))
    }

    private func expectReadable<Value: WireMessage>(_ value: Value) throws {
        let bytes = value.wireBytes()
        #expect(bytes.count < frameBytesMaximum)
        // Numbers out of a field's range are sent as the nearest.
        #expect(try Value(wire: bytes).wireBytes() == bytes)
    }
}

import FoundationEssentials
import Testing
import TillModel
import TillWire

/// The largest messages that the daemon may send are within what a client reads.
@Suite struct LimitTests {
    /// The default limit of a frame's data.
    private let frameBytesMaximum = 256 << 10

    /// The largest transaction that a payment can produce.
    static var largest: Transaction {
        var payment = Sample.payment
        payment.productID = String(repeating: "p", count: Identifier.maximumBytes)
        payment.quantity = 10
        payment.applicationUsername = String(repeating: "u", count: Payment.applicationUsernameMaximumBytes)
        payment.discount = PaymentDiscount(
            identifier: payment.productID,
            keyIdentifier: payment.productID,
            nonce: Sample.uuid(1),
            signature: String(repeating: "s", count: Payment.attachmentMaximumBytes),
            timestamp: Date(millisecondsSince1970: 1)
        )
        payment.simulatesAskToBuyInSandbox = true
        payment.requestData = [UInt8](repeating: 1, count: Payment.attachmentMaximumBytes)
        return Transaction(
            id: Sample.uuid(2),
            revision: .max,
            state: .restored,
            payment: payment,
            purchase: Sample.purchase,
            original: OriginalTransaction(id: Sample.uuid(1), purchase: Sample.purchase),
            blocker: .provider,
            deadline: Sample.date(1),
            continues: Sample.uuid(1),
            revocation: Sample.revocation,
            subscription: SubscriptionTerm(
                groupID: payment.productID,
                startDate: Sample.date(1),
                expirationDate: Sample.date(1 << 50),
                isRenewal: true,
                offer: AppliedOffer(type: .code, id: payment.productID, paymentMode: .freeTrial),
                isUpgraded: true,
                collapsedCount: Int(UInt32.max)
            ),
            isFinished: true
        )
    }

    @Test func theLargestBatchIsRead() throws {
        let events = [QueueEvent](repeating: .revoked(Self.largest), count: WireProtocol.transactionsMaximum)
        let batch = EventBatch(revision: .max, events: events)
        let bytes = batch.wireBytes()
        #expect(bytes.count < frameBytesMaximum)
        #expect(try EventBatch(wire: bytes) == batch)
    }

    @Test func theLargestPageOfTransactionsIsRead() throws {
        let transactions = [Transaction](repeating: Self.largest, count: WireProtocol.transactionsMaximum)
        let page = ListTransactionsResponse(transactions: transactions, nextPageToken: 1)
        let bytes = page.wireBytes()
        #expect(bytes.count < frameBytesMaximum)
        #expect(try ListTransactionsResponse(wire: bytes) == page)
    }

    @Test func theLargestPageOfProductsIsRead() throws {
        // The maximum of the catalogue's limits.
        let text = String(repeating: "d", count: 1024)
        let identifier = String(repeating: "i", count: 128)
        var offer = Sample.offer
        offer.id = identifier
        offer.price.amount = Decimal(string: "999999999999.999999999999") ?? 0
        var product = Sample.product
        product.id = identifier
        product.displayName = text
        product.description = text
        product.isFamilyShareable = true
        product.subscription = SubscriptionInfo(
            groupID: identifier,
            groupName: text,
            level: 1000,
            period: Sample.period,
            offers: [SubscriptionOffer](repeating: offer, count: 40)
        )
        product.contents = .init(
            repeating: ProductContent(
                identifier: identifier,
                version: "999999999.999999999.999999999.999999999",
                length: .max
            ),
            count: 16
        )
        let products = [Product](repeating: product, count: WireProtocol.productsMaximum)
        let page = ProductsResponse(products: products, nextPageToken: identifier)
        let bytes = page.wireBytes()
        #expect(bytes.count < frameBytesMaximum)
        #expect(try ProductsResponse(wire: bytes) == page)
    }
}

/// The largest messages of downloads and receipts are within what a client reads.
@Suite struct DownloadLimitTests {
    /// The default limit of a frame's data.
    private let frameBytesMaximum = 256 << 10
    private static let identifier = String(repeating: "i", count: Identifier.maximumBytes)
    /// Longer than any path that the system accepts.
    private static let path = "/" + String(repeating: "p", count: 4095)
    private static let version = "999999999.999999999.999999999.999999999"

    /// A download in a state, with the longest texts.
    static func largest(_ state: DownloadState) -> Download {
        Download(
            id: Sample.uuid(1),
            transactionID: Sample.uuid(2),
            productID: identifier,
            content: ProductContent(identifier: identifier, version: version, length: .max),
            state: state,
            receivedBytes: .max,
            timeRemaining: .milliseconds(Int64.max),
            error: DownloadError(.withdrawn, String(repeating: "e", count: 1024)),
            contentPath: path
        )
    }

    @Test(arguments: DownloadState.allCases)
    func theLargestPageOfDownloadsIsRead(_ state: DownloadState) throws {
        let downloads = [Download](repeating: Self.largest(state), count: WireProtocol.downloadsMaximum)
        try expectReadable(ListDownloadsResponse(downloads: downloads, nextPageToken: .max))
        try expectReadable(DownloadsResponse(downloads: downloads))
    }

    @Test func theLargestCommandIsRead() throws {
        let ids = [UUID](repeating: Sample.uuid(1), count: WireProtocol.downloadsMaximum)
        try expectReadable(DownloadsRequest(downloadIDs: ids))
    }

    @Test func theLargestPartOfAReceiptIsRead() throws {
        let data = [UInt8](repeating: 0x65, count: WireProtocol.receiptPartMaximumBytes)
        try expectReadable(ReceiptPart(data: data))
    }

    @Test func theLargestSignedTransactionIsRead() throws {
        var transaction = LimitTests.largest
        transaction.receipt = String(repeating: "e", count: 8 << 10)
        transaction.downloads = .init(repeating: Self.largest(.finished), count: 16)
        try expectReadable(RebuildReceiptResponse(transaction: transaction))
    }

    private func expectReadable<Value: WireMessage>(_ value: Value) throws {
        let bytes = value.wireBytes()
        #expect(bytes.count < frameBytesMaximum)
        #expect(try Value(wire: bytes) == value)
    }
}

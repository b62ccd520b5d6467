import FoundationEssentials
import Testing
import TillModel
import TillWire

@testable import TillEngine

/// Pages that are limited by their weight fit into a frame of 256 KiB, and a client can read them within its limits of
/// fields and memory.
@Suite struct PageWeightTests {
    /// Transactions that are large in different ways.
    struct Load: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var text: Int
        var attachment: Int
        var receipt: Int
        var downloads: Int
        var state = DownloadState.failed
        var path = 1
    }

    static let loads = [
        Load(testDescription: "the least of everything", text: 1, attachment: 0, receipt: 1, downloads: 0),
        Load(testDescription: "many short downloads", text: 1, attachment: 0, receipt: 1, downloads: 16),
        Load(testDescription: "one short download each", text: 1, attachment: 0, receipt: 1, downloads: 1),
        Load(testDescription: "two short downloads each", text: 1, attachment: 0, receipt: 1, downloads: 2),
        Load(testDescription: "four short downloads each", text: 1, attachment: 0, receipt: 1, downloads: 4),
        Load(testDescription: "the longest receipts", text: 128, attachment: 0, receipt: 8 << 10, downloads: 0),
        Load(testDescription: "the longest attachments", text: 128, attachment: 1024, receipt: 8 << 10, downloads: 0),
        Load(
            testDescription: "the most of everything",
            text: 128,
            attachment: 1024,
            receipt: 8 << 10,
            downloads: 16,
            state: .finished,
            path: 4096
        ),
    ]

    @Test(arguments: loads)
    func aBatchIsRead(_ load: Load) throws {
        let all = [QueueEvent](repeating: .updated(Self.transaction(load)), count: WireProtocol.transactionsMaximum)
        let page = PageWeight.page(of: all, weight: \.weight)
        #expect(!page.isEmpty)
        try expectReadable(
            EventBatch(
                revision: .max,
                events: [.initialDeliveryStarted(isReset: true)] + page + [.initialDeliveryEnded]
            )
        )
    }

    @Test(arguments: loads)
    func aPageOfTransactionsIsRead(_ load: Load) throws {
        let all = [Transaction](repeating: Self.transaction(load), count: WireProtocol.transactionsMaximum)
        let page = PageWeight.page(of: all, weight: \.weight)
        #expect(!page.isEmpty)
        try expectReadable(ListTransactionsResponse(transactions: page, nextPageToken: .max))
    }

    @Test(arguments: loads)
    func anOperatorsPageOfTransactionsIsRead(_ load: Load) throws {
        let all = [Transaction](repeating: Self.transaction(load), count: WireProtocol.pageMaximum)
        let page = PageWeight.page(of: all, weight: \.weight).map {
            OperatorTransaction(
                application: String(repeating: "p", count: Identifier.maximumBytes),
                account: String(repeating: "a", count: Identifier.maximumBytes),
                transaction: $0,
                needsReview: true
            )
        }
        #expect(!page.isEmpty)
        try expectReadable(FindTransactionsResponse(transactions: page, nextPageToken: .max))
    }

    @Test(arguments: loads)
    func aBatchOfDownloadsIsRead(_ load: Load) throws {
        let event = QueueEvent.downloadsUpdated([Self.download(load)])
        let all = [QueueEvent](repeating: event, count: WireProtocol.transactionsMaximum)
        try expectReadable(EventBatch(revision: .max, events: PageWeight.page(of: all, weight: \.weight)))
    }

    @Test(arguments: [(1, 0, 0), (1024, 0, 0), (1, 40, 0), (1, 1, 1), (1, 0, 16), (1024, 40, 16)])
    func aPageOfProductsIsRead(text: Int, offers: Int, contents: Int) throws {
        let product = Self.product(text: text, offers: offers, contents: contents)
        let all = [Product](repeating: product, count: PaymentEngine.productsPageMaximum)
        let page = PageWeight.page(of: all, weight: \.weight)
        #expect(!page.isEmpty)
        let token = Self.text(Identifier.maximumBytes)
        try expectReadable(ProductsResponse(products: page, invalid: [], nextPageToken: token))
    }

    @Test func theProgressOfAllThatOneBatchReportsIsRead() throws {
        var load = Self.loads[1]
        load.text = Identifier.maximumBytes
        load.state = .active
        let downloads = [Download](repeating: Self.download(load), count: ActiveDownloads.reportMaximum)
        try expectReadable(EventBatch(revision: .max, events: [.downloadsUpdated(downloads)]))
    }

    @Test func oneThatIsTooHeavyIsAPageAlone() {
        #expect(PageWeight.page(of: [1, 2, 3]) { _ in PageWeight.maximum + 1 } == [1])
        #expect(PageWeight.page(of: [1, 2, 3]) { _ in PageWeight.maximum / 2 } == [1, 2])
        #expect(PageWeight.page(of: [Int]()) { _ in 1 } == [])
    }

    private func expectReadable<Value: WireMessage>(_ value: Value) throws {
        let bytes = value.wireBytes()
        #expect(bytes.count < 256 << 10)
        #expect(try Value(wire: bytes).wireBytes() == bytes)
    }

    private static func download(_ load: Load) -> Download {
        Download(
            id: UUID.version7(),
            transactionID: UUID.version7(),
            productID: text(load.text),
            content: ProductContent(identifier: text(load.text), version: "1.1.1.1", length: .max),
            state: load.state,
            receivedBytes: .max,
            timeRemaining: load.state == .active ? .seconds(1 << 40) : nil,
            error: load.state == .failed ? DownloadError(.withdrawn, text(load.text)) : nil,
            contentPath: load.state == .finished ? text(load.path) : nil
        )
    }

    private static func product(text: Int, offers: Int, contents: Int) -> Product {
        let identifier = Self.text(min(text, Identifier.maximumBytes))
        let price = Price(amount: Decimal(string: "999999999999.999999999999") ?? 0, currency: "USD")
        let period = SubscriptionPeriod(unit: .month, value: 1000)
        let offer = SubscriptionOffer(
            id: identifier,
            type: .winBack,
            paymentMode: .freeTrial,
            price: price,
            period: period,
            periodCount: 1000
        )
        return Product(
            id: identifier,
            type: .autoRenewableSubscription,
            displayName: Self.text(text),
            description: Self.text(text),
            price: price,
            locale: "en-US",
            isFamilyShareable: true,
            subscription: SubscriptionInfo(
                groupID: identifier,
                groupName: Self.text(text),
                level: 1000,
                period: period,
                offers: .init(repeating: offer, count: offers)
            ),
            contents: .init(
                repeating: ProductContent(identifier: identifier, version: "1.1.1.1", length: .max),
                count: contents
            )
        )
    }

    /// Every field that a purchased transaction may have.
    private static func transaction(_ load: Load) -> Transaction {
        let identifier = text(load.text)
        let purchase = PurchaseIdentity(transactionIdentifier: "\(Int64.max)", transactionDate: .distantFuture)
        let date = Date(millisecondsSince1970: 1 << 50)
        return Transaction(
            id: UUID.version7(),
            revision: .max,
            state: .restored,
            payment: payment(load),
            purchase: purchase,
            original: OriginalTransaction(id: UUID.version7(), purchase: purchase),
            blocker: .provider,
            deadline: date,
            continues: UUID.version7(),
            revocation: Revocation(date: date, reason: .applicationIssue, quantity: 10),
            subscription: SubscriptionTerm(
                groupID: identifier,
                startDate: date,
                expirationDate: date,
                isRenewal: true,
                offer: AppliedOffer(type: .code, id: identifier, paymentMode: .payUpFront),
                isUpgraded: true,
                collapsedCount: 1
            ),
            receipt: text(load.receipt),
            downloads: .init(repeating: download(load), count: load.downloads),
            isFinished: true
        )
    }

    private static func payment(_ load: Load) -> Payment {
        Payment(
            id: UUID.version7(),
            productID: text(load.text),
            quantity: 10,
            applicationUsername: text(load.attachment),
            requestData: .init(repeating: 1, count: load.attachment),
            discount: PaymentDiscount(
                identifier: text(load.text),
                keyIdentifier: text(load.text),
                nonce: UUID.version7(),
                signature: text(max(1, load.attachment)),
                timestamp: Date(millisecondsSince1970: 1 << 50)
            ),
            simulatesAskToBuyInSandbox: true
        )
    }

    private static func text(_ count: Int) -> String {
        String(repeating: "t", count: count)
    }
}

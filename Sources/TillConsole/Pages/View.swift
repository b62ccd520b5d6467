import FoundationEssentials
import TillEngine
import TillModel

/// A view of the page: what the script puts into its frame.
enum View: String, CaseIterable {
    case overview
    case transactions
    case transaction
    case applications
    case queue
    case sales
    case requests
    case books
    case audit
    case store

    /// - Parameter query: The parameters of the view's address.
    /// - Throws: The engine's error, or `invalidArgument` for a parameter.
    func html(
        _ engine: PaymentEngine,
        _ history: FigureHistory,
        _ sales: SalesReader,
        _ query: ViewQuery,
        _ viewer: ConsoleSessions.Session
    ) async throws(TillError) -> HTML {
        switch self {
        case .overview: try await OverviewPage(engine: engine, history: history).html()
        case .transactions: try await TransactionsPage(engine: engine, query: query).html()
        case .transaction: try await TransactionPage(engine: engine, viewer: viewer).html(try query.transactionID())
        case .applications: try await ApplicationsPage(engine: engine, query: query).html()
        case .queue: try await QueuePage(engine: engine, query: query).html()
        case .sales: SalesPage(sales: try await sales.sales()).html
        case .requests: try await RequestsPage(engine: engine, viewer: viewer, query: query).html()
        case .books: BooksPage(viewer: viewer).html
        case .audit: try await AuditPage(engine: engine, viewer: viewer, query: query).html()
        case .store: StorePage(engine: engine, viewer: viewer).html()
        }
    }
}

/// The parameters of a view's address. Empty ones do not count.
struct ViewQuery {
    /// The parameter with the token of a list's page, if the view has one list.
    static let page = "page"

    private let values: [String: String]

    /// - Parameter text: The address's query, as browsers encode it; later parameters of a name replace earlier ones.
    /// - Throws: `invalidArgument` for a parameter with U+0000.
    init(_ text: Substring) throws(TillError) {
        let items = URLComponents(string: "/?\(text)")?.queryItems ?? []
        values = Dictionary(items.map { ($0.name, $0.value ?? "") }) { _, last in last }.filter { !$0.value.isEmpty }
        try ActionFields.checkTexts(values)
    }

    subscript(name: String) -> String? {
        values[name]
    }

    /// The token of a page of a list: 0 for the first.
    ///
    /// - Throws: `invalidArgument` for anything but a number.
    func token(_ name: String = page) throws(TillError) -> UInt64 {
        guard let text = values[name] else {
            return 0
        }
        guard let token = UInt64(text) else {
            throw TillError(.invalidArgument, "There is no page \(text): begin with the first.")
        }
        return token
    }

    /// The queue that the parameters `application` and `account` name.
    func queueName() throws(TillError) -> QueueName {
        guard let application = values["application"], let account = values["account"] else {
            throw TillError(.invalidArgument, "A queue has an application and an account: choose one of the list.")
        }
        return QueueName(application: application, account: account)
    }

    func transactionID() throws(TillError) -> UUID {
        try UUID(ofTransaction: values["id"] ?? "")
    }
}

extension UUID {
    /// - Throws: `invalidArgument` for a text that is not an identity.
    init(ofTransaction text: String) throws(TillError) {
        guard let id = UUID(uuidString: text) else {
            throw TillError(.invalidArgument, "A transaction's id has 36 characters, such as \(UUID.exampleText).")
        }
        self = id
    }

    private static let exampleText = "0199d2a4-7c5e-7d31-9a0b-3f2f7c1e5a90"
}

import ArgumentParser
import TillClient
import TillOutput

struct ProductsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "products",
        abstract: "List products and prices.",
        discussion: """
            All products are listed unless identifiers are given. For each identifier that is not sold, the standard error \
            gives the reason, and the exit status is 65.

            Example: till products --locale de-DE
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: ArgumentHelp("The products' identifiers.", valueName: "product"))
    var ids: [String] = []

    @Option(help: ArgumentHelp("The language and price format, such as de-DE.", valueName: "tag"))
    var locale: String?

    func run(_ console: Console) async throws {
        try await withQueue(console, fallback: Till.application) { queue in
            guard !ids.isEmpty else {
                return try print(try await queue.allProducts(locale: locale), console)
            }
            let answer = try await queue.products(distinctIDs, locale: locale)
            let found = Dictionary(answer.products.map { ($0.id, $0) }) { first, _ in first }
            try print(distinctIDs.compactMap { found[$0] }, console)
            let missing = distinctIDs.filter { found[$0] == nil }
            missing.forEach { console.notice("\($0): \(answer.invalid[$0] ?? "not sold").") }
            guard missing.isEmpty else {
                throw CommandFailure(.badData, nil)
            }
        }
    }

    /// The identifiers in the given order, without duplicates.
    private var distinctIDs: [String] {
        var seen: Set<String> = []
        return ids.filter { seen.insert($0).inserted }
    }

    private func print(_ products: [Product], _ console: Console) throws {
        try console.print(table: products.map(ProductLine.init), asJSON: common.json)
    }
}

struct TransactionsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "transactions",
        abstract: "List unfinished transactions, oldest first.",
        discussion: "Example: till transactions --all --json"
    )

    @OptionGroup var common: CommonOptions

    @Flag(help: "Include finished transactions.")
    var all = false

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            let list = all ? queue.allTransactions : queue.transactions
            try await console.print(list: list, asJSON: common.json, TransactionLine.init)
        }
    }
}

struct EntitlementsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "entitlements",
        abstract: "List products that the account owns or subscribes to.",
        discussion: "Example: till entitlements --application org.example.notes"
    )

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            try await console.print(table: queue.entitlements, asJSON: common.json, EntitlementLine.init)
        }
    }
}

struct SubscriptionsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "subscriptions",
        abstract: "List the account's subscriptions, including expired ones.",
        discussion: "Example: till subscriptions --application org.example.notes"
    )

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            try await console.print(table: queue.subscriptions, asJSON: common.json, SubscriptionStatusLine.init)
        }
    }
}

import ArgumentParser
import TillClient

struct ProductsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "products",
        abstract: "List what is sold, with prices.",
        discussion: """
            Without identifiers, everything that is sold. An identifier that is not sold is named on the standard \
            error, with the reason, and the exit status is then 65.

            Example: till products --locale de-DE
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: ArgumentHelp("The products' identifiers.", valueName: "product"))
    var ids: [String] = []

    @Option(
        help: ArgumentHelp("The language of the texts and the format of the prices, such as de-DE.", valueName: "tag")
    )
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

    /// In the order given.
    private var distinctIDs: [String] {
        var seen: Set<String> = []
        return ids.filter { seen.insert($0).inserted }
    }

    private func print(_ products: [Product], _ console: Console) throws {
        try console.print(table: products.map(ProductLine.init), asJSON: common.json)
    }
}

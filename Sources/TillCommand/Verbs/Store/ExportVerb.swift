import ArgumentParser
import TillClient
import TillModel
import TillOutput

struct ExportVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export charges and refunds for accounting.",
        discussion: """
            For operators. Prints comma-separated values with a line of headings, or JSON lines with --json. Each charge is \
            followed by its refunds, which have negative amounts. Dates are in UTC, and say when the provider was first \
            asked. A text that a spreadsheet would take for a formula begins with an apostrophe. The amounts of JSON are in \
            minor units, such as cents.

            Example: till export --since 2026-11-01 --until 2026-12-01 > november.csv
            """
    )

    @OptionGroup var common: CommonOptions

    @Option(
        help: ArgumentHelp("Export from this date on, such as 2026-11-01 or 2026-11-01T08:30:00Z.", valueName: "date"),
        transform: DateArgument.init(parsing:)
    )
    var since: DateArgument?

    @Option(
        help: ArgumentHelp("Export what was before this date.", valueName: "date"),
        transform: DateArgument.init(parsing:)
    )
    var until: DateArgument?

    @Flag(help: "Print only the totals of each day and currency.")
    var totals = false

    func validate() throws {
        if let since, let until, since.date >= until.date {
            throw ValidationError("--until must be later than --since.")
        }
    }

    func run(_ console: Console) async throws {
        try await withOperator(console) { store in
            try await totals ? exportTotals(store, console) : exportEntries(store, console)
        }
    }

    private func exportEntries(_ store: TillOperator, _ console: Console) async throws {
        var isBegun = common.json
        try await store.exportEntries(since: since?.date, until: until?.date) { entries in
            if !isBegun {
                try console.print(LedgerEntryRow.heading)
            }
            isBegun = true
            for entry in entries {
                try console.print(row: LedgerEntryRow(entry: entry), asJSON: common.json)
            }
        }
    }

    private func exportTotals(_ store: TillOperator, _ console: Console) async throws {
        var totals: [[String]: DayTotal] = [:]
        try await store.exportEntries(since: since?.date, until: until?.date) { entries in
            for entry in entries {
                let (day, currency) = (entry.day, entry.currency)
                try totals[[day, currency], default: DayTotal(day: day, currency: currency)].add(entry)
            }
        }
        if !common.json {
            try console.print(DayTotal.heading)
        }
        for (_, total) in totals.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            try console.print(row: total, asJSON: common.json)
        }
    }
}

import ArgumentParser
import TillCatalogue
import TillModel
import TillOutput

struct CatalogueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalogue",
        abstract: "Check catalogue files without a daemon.",
        subcommands: [CatalogueCheckVerb.self]
    )

    @OptionGroup var common: CommonOptions
}

struct CatalogueCheckVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Report errors and warnings in .storekit files.",
        discussion: """
            The files are checked as one catalogue, together with their content manifests: Notes.content.json for \
            Notes.storekit. The exit status is 65 if a file has errors.

            Example: till catalogue check --content Notes.storekit
            """
    )

    /// The smallest amount of content for which a progress bar is shown.
    static let barBytes: Int64 = 64 * barUnit
    private static let barUnit: Int64 = 1024 * 1024

    @OptionGroup var common: CommonOptions

    @Flag(help: "Compare local content with the manifest's lengths and hashes.")
    var content = false

    @Argument(
        help: ArgumentHelp("The .storekit files, or their content manifests.", valueName: "file"),
        completion: .file(extensions: ["storekit", "json"])
    )
    var files: [String]

    func run(_ console: Console) async throws {
        var check = CatalogueCheck(files: files)
        if content { compareContent(&check, console) }
        for diagnostic in check.diagnostics {
            try console.print(DiagnosticLine(diagnostic: diagnostic), asJSON: common.json)
        }
        let counts = ProductType.allCases.map { ($0, check.productCount(of: $0)) }
        let summary = CheckSummaryLine(
            fileCount: check.fileCount,
            productCounts: Dictionary(counts) { first, _ in first },
            contentCount: check.contentCount,
            errorCount: check.errorCount,
            warningCount: check.warningCount
        )
        try console.print(summary, asJSON: common.json)
        if check.hasErrors {
            throw CommandFailure(.badData, nil)
        }
    }

    private func compareContent(_ check: inout CatalogueCheck, _ console: Console) {
        let bytes = check.contentBytes
        let bar = ProgressBar(console, total: bytes < Self.barBytes ? 0 : Int(bytes / Self.barUnit), unit: "MiB")
        bar.draw()
        check.checkContent { bar.advance(to: Int($0 / Self.barUnit)) }
        bar.clear()
    }
}

/// An error or a warning about a catalogue file.
struct DiagnosticLine: OutputLine {
    let diagnostic: Diagnostic

    var text: String {
        "\(diagnostic)"
    }

    var json: JSONObject {
        [
            "severity": diagnostic.severity.rawValue,
            "file": diagnostic.file,
            "product_id": diagnostic.product,
            "message": diagnostic.message,
        ]
    }
}

/// The counts at the end of a check.
struct CheckSummaryLine: OutputLine {
    var fileCount: Int
    /// The products in files without errors.
    var productCounts: [ProductType: Int]
    /// The content packages that the store hosts for those products.
    var contentCount: Int
    var errorCount: Int
    var warningCount: Int

    var text: String {
        let total = productCounts.values.reduce(0, +)
        let kinds = ProductType.allCases.compactMap { type in
            productCounts[type].flatMap { $0 == 0 ? nil : "\($0) \(type.title)" }
        }
        let products = kinds.isEmpty ? "" : " (\(kinds.joined(separator: ", ")))"
        let pieces = contentCount == 1 ? "1 piece" : "\(contentCount) pieces"
        let contents = contentCount == 0 ? "" : "\(pieces) of content, "
        return "\(Self.count(fileCount, "file")): \(Self.count(total, "product"))\(products), \(contents)"
            + "\(Self.count(errorCount, "error")), \(Self.count(warningCount, "warning"))"
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }

    var json: JSONObject {
        [
            "files": fileCount,
            "products": JSONObject(ProductType.allCases.map { ($0.name, productCounts[$0] ?? 0) }),
            "contents": contentCount,
            "errors": errorCount,
            "warnings": warningCount,
        ]
    }
}

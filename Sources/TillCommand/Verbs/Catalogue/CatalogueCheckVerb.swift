import ArgumentParser
import TillCatalogue
import TillModel

struct CatalogueCheckVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say everything that is wrong with .storekit files, or worth a look.",
        discussion: """
            The files are checked as one catalogue, each with the content manifest beside it: Notes.content.json for \
            Notes.storekit. The exit status is 65 when one has an error.

            Example: till catalogue check --content Notes.storekit
            """
    )

    /// With fewer bytes than this the content is compared in a moment, and no bar is shown.
    static let barBytes: Int64 = 64 * barUnit
    private static let barUnit: Int64 = 1024 * 1024

    @OptionGroup var common: CommonOptions

    @Flag(help: "Compare content that lies in files with the length and the SHA-256 that the manifest states.")
    var content = false

    @Argument(
        help: ArgumentHelp("The files; a content manifest stands for the file it belongs to.", valueName: "file"),
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

import ArgumentParser
import TillCatalogue
import TillModel

struct CatalogueCheckVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say everything that is wrong with .storekit files, or worth a look.",
        discussion: """
            The files are checked as one catalogue. The exit status is 65 when one has an error.

            Example: till catalogue check Notes.storekit
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: ArgumentHelp("The files.", valueName: "file"), completion: .file(extensions: ["storekit"]))
    var files: [String]

    func run(_ console: Console) async throws {
        let check = CatalogueCheck(files: files)
        for diagnostic in check.diagnostics {
            try console.print(DiagnosticLine(diagnostic: diagnostic), asJSON: common.json)
        }
        let counts = ProductType.allCases.map { ($0, check.productCount(of: $0)) }
        let summary = CheckSummaryLine(
            fileCount: files.count,
            productCounts: Dictionary(counts) { first, _ in first },
            errorCount: check.errorCount,
            warningCount: check.warningCount
        )
        try console.print(summary, asJSON: common.json)
        if check.hasErrors {
            throw CommandFailure(.badData, nil)
        }
    }
}

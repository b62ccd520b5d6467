import Foundation
import Glibc
import Testing
import TillModel

@testable import TillCatalogue

/// Tests the check and the reader with files in a real directory.
final class CatalogueCheckTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID())").path

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func write(_ text: String, to name: String) throws -> String {
        let path = "\(folder)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    @Test
    func aValidFileHasProductsAndNoDiagnostics() throws {
        let path = try write(
            Document.file(["subscriptionGroups": Document.list(Document.group())]),
            to: "Good.storekit"
        )
        let check = CatalogueCheck(files: [path])
        #expect(check.diagnostics.isEmpty)
        #expect(!check.hasErrors)
        #expect(check.products.map(\.id) == ["org.example.coins", "org.example.monthly"])
        #expect(check.productCount(of: .consumable) == 1)
        #expect(check.productCount(of: .autoRenewableSubscription) == 1)
        #expect(check.productCount(of: .nonConsumable) == 0)
        #expect(try StoreKitConfiguration(contentsOf: path).products == check.products)
    }

    @Test
    func everyErrorAndWarningIsListedErrorsFirst() throws {
        let text = Document.file([
            "products": Document.list(
                Document.product(["referenceName": "null"]),
                Document.product(["productID": #""b""#, "displayPrice": #""free""#]),
                Document.product(["productID": #""c""#, "type": #""Gift""#])
            )
        ])
        let path = try write(text, to: "Bad.storekit")
        let check = CatalogueCheck(files: [path])
        let rule = "a decimal number such as 4.99, without sign, currency or grouping"
        #expect(
            check.diagnostics.map(\.description) == [
                "error: \(path): b: the displayPrice 'free' is not \(rule)",
                "error: \(path): c: the type 'Gift' is unknown",
                "warning: \(path): org.example.coins: the product has no reference name",
            ]
        )
        #expect(check.errorCount == 2)
        #expect(check.warningCount == 1)
        #expect(check.hasErrors)
        #expect(check.products.isEmpty)
    }

    @Test
    func filesAreCheckedAgainstEachOther() throws {
        let first = try write(Document.file(), to: "First.storekit")
        let second = try write(Document.file(), to: "Second.storekit")
        let check = CatalogueCheck(files: [first, second])
        #expect(
            check.diagnostics == [
                Diagnostic(.error, file: second, product: "org.example.coins", "the product is already in \(first)")
            ]
        )
        #expect(check.errorCount == 1)
        #expect(check.files.count == 2)
    }

    @Test
    func aMissingFileIsAnErrorAndTheOthersAreChecked() throws {
        let good = try write(Document.file(), to: "Good.storekit")
        let check = CatalogueCheck(files: ["\(folder)/Absent.storekit", good])
        #expect(
            check.diagnostics.map(\.description) == [
                "error: \(folder)/Absent.storekit: the file cannot be opened: No such file or directory"
            ]
        )
        #expect(check.products.count == 1)
    }

    @Test(.timeLimit(.minutes(10)))
    func onlyRegularFilesAreRead() throws {
        let pipe = "\(folder)/Pipe.storekit"
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        for path in [pipe, folder, "/dev/zero"] {
            let error = #expect(throws: TillError.self) { try StoreKitConfiguration(contentsOf: path) }
            #expect(error?.message == "\(path): this is not a regular file.")
            #expect(error?.code == .invalidArgument)
        }
    }

    @Test
    func aMissingFileIsNotFound() {
        let error = #expect(throws: TillError.self) { try StoreKitConfiguration(contentsOf: "\(folder)/Absent") }
        #expect(error?.code == .notFound)
        #expect(error?.message == "\(folder)/Absent: the file cannot be opened: No such file or directory.")
    }

    @Test
    func aFileBeyondTheLimitIsRefusedWithoutReadingItAll() throws {
        let path = try write("", to: "Huge.storekit")
        #expect(unsafe truncate(path, 1 << 40) == 0)
        let error = #expect(throws: TillError.self) { try StoreKitConfiguration(contentsOf: path) }
        #expect(error?.message == "\(path): the file is larger than 16 MiB.")
    }

    @Test
    func theExampleCatalogueHasNoDiagnostics() {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let check = CatalogueCheck(files: [root.appending(path: "Sources/till-example/Notes.storekit").path])
        #expect(check.diagnostics.isEmpty)
        #expect(check.fileCount == 2)
        #expect(
            check.products.map(\.id).sorted() == [
                "org.example.notes.archive.season", "org.example.notes.coins10", "org.example.notes.coins100",
                "org.example.notes.pro", "org.example.notes.sync.monthly", "org.example.notes.sync.yearly",
                "org.example.notes.themes",
            ]
        )
        let languages = Set(check.products.flatMap(\.localizations).compactMap { $0.language?.description })
        #expect(languages == ["en-US", "de"])
        #expect(check.products.compactMap(\.subscription).allSatisfy { $0.offers.map(\.type) == [.introductory] })
    }
}

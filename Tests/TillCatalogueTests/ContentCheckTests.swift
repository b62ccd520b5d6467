import Foundation
import Testing
import TillModel

@testable import TillCatalogue

/// Tests the check of manifests and local content files.
struct ContentCheckTests {
    /// The SHA-256 of `abc` (FIPS 180-2, appendix B.1).
    private static let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    /// Creates a folder whose only content is `abc`, with a manifest.
    private func folder(length: Int = 3, sha256: String = sum, source: String = "file:abc") throws -> ManifestFolder {
        let content = Manifest.content(
            ["length": "\(length)", "sha256": "\"\(sha256)\"", "source": "\"\(source)\""]
        )
        let folder = try ManifestFolder(manifest: Manifest.with(content))
        try folder.write("abc", to: "abc")
        return folder
    }

    private func messages(_ folder: ManifestFolder) -> [String] {
        var check = CatalogueCheck(files: [folder.catalogue])
        #expect(check.diagnostics.isEmpty)
        check.checkContent()
        #expect(check.errorCount == check.diagnostics.count)
        #expect(check.diagnostics.allSatisfy { $0.file == folder.manifest && $0.product == "org.example.pro" })
        return check.diagnostics.map(\.message)
    }

    @Test
    func contentThatMatchesItsManifestHasNoDiagnostics() throws {
        #expect(try messages(folder()).isEmpty)
        #expect(try messages(folder(sha256: Self.sum.uppercased())).isEmpty)
    }

    @Test
    func aDifferentLengthIsAnError() throws {
        let folder = try folder(length: 4)
        #expect(messages(folder) == ["[0].length is 4, but '\(folder.path)/abc' has 3 bytes"])
    }

    @Test
    func aDifferentHashIsAnErrorThatNamesTheRightOne() throws {
        let folder = try folder(sha256: Manifest.sum)
        #expect(messages(folder) == ["[0].sha256 does not match '\(folder.path)/abc', whose SHA-256 is \(Self.sum)"])
    }

    @Test
    func contentThatIsNotAReadableFileIsAnError() throws {
        let absent = try folder(source: "file:absent")
        let reason = "the file cannot be opened: No such file or directory"
        #expect(messages(absent) == ["[0].source is '\(absent.path)/absent', but \(reason)"])
        let directory = try folder(source: "file:content")
        try directory.write("", to: "content/a")
        #expect(messages(directory) == ["[0].source is '\(directory.path)/content', but this is not a regular file"])
    }

    @Test
    func contentOnOtherHostsIsNotFetched() throws {
        let folder = try folder(source: "http://127.0.0.1:1/abc")
        #expect(messages(folder).isEmpty)
        #expect(CatalogueCheck(files: [folder.catalogue]).contentBytes == 0)
    }

    @Test
    func progressGrowsToAllBytes() throws {
        let size = RegularFile.chunkBytes * 2 + 1
        let folder = try folder(length: size, source: "file:large")
        try folder.write(String(repeating: "a", count: size), to: "large")
        var check = CatalogueCheck(files: [folder.catalogue])
        var steps: [Int64] = []
        check.checkContent { steps.append($0) }
        #expect(check.contentBytes == Int64(size))
        #expect(steps == [65_536, 131_072, 131_073, 131_073])
        #expect(check.diagnostics.first?.message.contains(".sha256 does not match") == true)
    }

    @Test
    func aManifestIsCheckedWithItsCatalogue() throws {
        let folder = try folder()
        for paths in [[folder.manifest], [folder.catalogue, folder.manifest], [folder.manifest, folder.catalogue]] {
            let check = CatalogueCheck(files: paths)
            #expect(check.diagnostics.isEmpty)
            #expect(check.fileCount == 2)
            #expect(check.contentCount == 1)
            #expect(check.files.map(\.fileName) == [folder.catalogue])
        }
    }

    @Test
    func aNamedManifestMustExist() throws {
        let folder = try ManifestFolder(manifest: nil)
        let message = "the file cannot be opened: No such file or directory"
        for paths in [[folder.manifest], [folder.catalogue, folder.manifest]] {
            #expect(CatalogueCheck(files: paths).diagnostics == [Diagnostic(.error, file: folder.manifest, message)])
        }
        #expect(CatalogueCheck(files: [folder.catalogue]).diagnostics.isEmpty)
    }

    @Test
    func errorsOfACatalogueAndOfItsManifestAreListedTogether() throws {
        let folder = try ManifestFolder(manifest: Manifest.with(Manifest.content(["length": "0"])))
        try folder.write(Document.with(product: ["displayPrice": "null"]), to: "Notes.storekit")
        let check = CatalogueCheck(files: [folder.catalogue])
        #expect(check.errorCount == 2)
        #expect(check.diagnostics.map(\.file) == [folder.catalogue, folder.manifest])
        #expect(check.files.isEmpty)
        #expect(check.contentCount == 0)
    }

    @Test
    func theExampleContentMatchesItsManifest() {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        var check = CatalogueCheck(files: [root.appending(path: "Sources/till-example/Notes.content.json").path])
        check.checkContent()
        #expect(check.diagnostics.isEmpty)
        let contents = check.products.flatMap { product in product.contents.map { (product.id, $0.archive) } }
        #expect(contents.map(\.0) == ["org.example.notes.pro", "org.example.notes.themes"])
        #expect(contents.map(\.1) == [nil, .zip])
    }
}

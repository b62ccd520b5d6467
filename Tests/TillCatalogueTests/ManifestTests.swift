import Foundation
import Testing
import TillModel

@testable import TillCatalogue

/// The content of a catalogue with a content manifest.
struct ManifestTests {
    @Test
    func aCataloguesManifestIsFoundAndRead() throws {
        let folder = try ManifestFolder(manifest: Manifest.file())
        let file = try StoreKitConfiguration(contentsOf: folder.catalogue)
        let url = URL(filePath: "\(folder.path)/content/templates.json")
        let content = ProductContent(identifier: "templates", version: "1.2", length: 3)
        let expected = ContentSource(content: content, sha256: Array(repeating: 10, count: 32), url: url)
        #expect(file.manifestName == folder.manifest)
        #expect(file.contentCount == 1)
        #expect(file.warnings.isEmpty)
        let catalogue = try StoreKitCatalogue(files: [file])
        #expect(catalogue.contents(ofProduct: "org.example.pro") == [expected])
        #expect(catalogue.contents(ofProduct: "org.example.coins").isEmpty)
        #expect(catalogue.contents(ofProduct: "org.example.absent").isEmpty)
        let product = try #require(catalogue.product("org.example.pro", locale: nil, storefront: "DEU"))
        #expect(product.contents == [content])
        #expect(catalogue.product("org.example.coins", locale: nil, storefront: "USA")?.contents == [])
    }

    @Test
    func withoutAManifestNoContentIsHosted() throws {
        let folder = try ManifestFolder(manifest: nil)
        let file = try StoreKitConfiguration(contentsOf: folder.catalogue)
        #expect(file.manifestName == nil)
        #expect(file.contentCount == 0)
    }

    @Test
    func piecesKeepTheirOrder() throws {
        let contents = ["b", "a", "c"].map { Manifest.content(["identifier": "\"\($0)\""]) }
        let folder = try ManifestFolder(manifest: Manifest.with(contents[0], contents[1], contents[2]))
        let products = try StoreKitConfiguration(contentsOf: folder.catalogue).products
        #expect(products.first?.contents.map(\.content.identifier) == ["b", "a", "c"])
    }

    @Test
    func anErrorInTheManifestRefusesTheCatalogue() throws {
        let folder = try ManifestFolder(manifest: Manifest.with(Manifest.content(["version": "1"])))
        let error = #expect(throws: TillError.self) { try StoreKitConfiguration(contentsOf: folder.catalogue) }
        #expect(error?.message.hasPrefix("\(folder.manifest): org.example.pro: [0].version is 1; expected") == true)
        #expect(error?.code == .invalidArgument)
    }

    @Test
    func aManifestThatCannotBeReadRefusesTheCatalogue() throws {
        let folder = try ManifestFolder(manifest: nil)
        try FileManager.default.createDirectory(atPath: folder.manifest, withIntermediateDirectories: false)
        let error = #expect(throws: TillError.self) { try StoreKitConfiguration(contentsOf: folder.catalogue) }
        #expect(error?.message == "\(folder.manifest): this is not a regular file.")
    }

    @Test(arguments: [
        ("a/Notes.storekit", "a/Notes.content.json"), ("Notes", "Notes.content.json"),
        ("a.b/My.Notes.storekit", "a.b/My.Notes.content.json"),
    ])
    func theManifestIsNamedAfterTheCatalogue(catalogue: String, manifest: String) {
        #expect(ManifestPath.manifest(of: catalogue) == manifest)
        #expect(ManifestPath.catalogue(of: catalogue) == nil)
    }

    @Test
    func aManifestNamesItsCatalogue() {
        #expect(ManifestPath.catalogue(of: "a/Notes.content.json") == "a/Notes.storekit")
    }

    @Test
    func aConsumableWithContentCausesAWarning() throws {
        let text = Manifest.file(["products": "{\"org.example.coins\": [\(Manifest.content())]}"])
        let folder = try ManifestFolder(manifest: text)
        let file = try StoreKitConfiguration(contentsOf: folder.catalogue)
        #expect(
            file.warnings == [
                Diagnostic(
                    .warning,
                    file: folder.manifest,
                    product: "org.example.coins",
                    "the product is a consumable, so its content cannot be downloaded again after it was finished"
                )
            ]
        )
        #expect(file.contentCount == 1)
    }

    @Test
    func unknownKeysCauseOneWarningEach() throws {
        let content = Manifest.content(["size": "1"])
        let other = Manifest.content(["size": "1", "identifier": #""other""#])
        let text = Manifest.file(["author": #""me""#, "products": "{\"org.example.pro\": [\(content), \(other)]}"])
        let folder = try ManifestFolder(manifest: text)
        let messages = try StoreKitConfiguration(contentsOf: folder.catalogue).warnings.map(\.message)
        #expect(
            messages == [
                "the key 'author' of a manifest is unknown and ignored",
                "the key 'size' of a piece of content is unknown and ignored",
            ]
        )
    }

    @Test
    func twoFilesMayHaveTheirOwnManifestsUpToTheLimit() throws {
        let folder = try ManifestFolder(manifest: Manifest.file())
        var first = try StoreKitConfiguration(contentsOf: folder.catalogue)
        var second = first
        second.fileName = "Other.storekit"
        second.products = [first.products[0]]
        second.products[0].id = "org.example.other"
        let source = try #require(first.products[0].contents.first)
        first.products[0].contents = Array(repeating: source, count: CatalogueLimits.contents - 1)
        #expect(try StoreKitCatalogue(files: [first, second]).contents(ofProduct: "org.example.other") == [source])
        first.products[0].contents.append(source)
        let files = [first, second]
        let error = #expect(throws: TillError.self) { try StoreKitCatalogue(files: files) }
        let reason = "with this file the catalogue has more than 4096 pieces of content"
        #expect(error?.message == "Other.storekit: \(reason).")
    }
}

import Testing
import TillModel

@testable import TillCatalogue

struct StoreKitCatalogueTests {
    private func configuration(_ id: String, in file: String, settings: String = "{}") throws -> StoreKitConfiguration {
        let product = Document.product(["productID": "\"\(id)\""])
        let text = Document.file(["products": Document.list(product), "settings": settings])
        return try StoreKitConfiguration(text: text, fileName: file)
    }

    @Test
    func filesMakeOneCatalogueInTheirOrder() throws {
        let catalogue = try StoreKitCatalogue(files: [
            configuration("b", in: "First.storekit", settings: #"{"_timeRate": 1}"#),
            configuration("a", in: "Second.storekit", settings: #"{"_timeRate": 2}"#),
        ])
        #expect(catalogue.products.map(\.id) == ["b", "a"])
        #expect(catalogue.productIDs == ["a", "b"])
        #expect(catalogue.settings.timeRate == .oneHourIsOneDay)
        #expect(catalogue.storefront == Storefront(countryCode: "USA", identifier: "143441"))
        #expect(catalogue.product("a", locale: nil)?.id == "a")
        #expect(catalogue.product("c", locale: nil) == nil)
    }

    @Test
    func noFilesMakeAnEmptyCatalogue() throws {
        let catalogue = try StoreKitCatalogue(files: [])
        #expect(catalogue.products.isEmpty)
        #expect(catalogue.settings == CatalogueSettings())
    }

    @Test
    func aProductInTwoFilesIsRefusedByBothNames() throws {
        let files = try [configuration("a", in: "First.storekit"), configuration("a", in: "Second.storekit")]
        let error = #expect(throws: TillError.self) { try StoreKitCatalogue(files: files) }
        #expect(error?.message == "Second.storekit: a: the product is already in First.storekit.")
        #expect(error?.code == .invalidArgument)
    }

    @Test
    func twoStorefrontsAreRefusedByBothNames() throws {
        let files = try [
            configuration("a", in: "First.storekit"),
            configuration("b", in: "Second.storekit", settings: #"{"_storefront": "NLD"}"#),
        ]
        let error = #expect(throws: TillError.self) { try StoreKitCatalogue(files: files) }
        let reason = "the storefront is NLD, but that of First.storekit is USA; set the same _storefront"
        #expect(error?.message == "Second.storekit: \(reason).")
    }

    @Test
    func moreProductsThanTheLimitAreRefused() throws {
        var half = try configuration("a", in: "First.storekit")
        let product = try #require(half.products.first)
        half.products = (0...CatalogueLimits.products / 2).map { index in
            var product = product
            product.id = "first\(index)"
            return product
        }
        var other = half
        other.fileName = "Second.storekit"
        other.products = half.products.map { first in
            var product = first
            product.id = "second" + first.id
            return product
        }
        let files = [half, other]
        let error = #expect(throws: TillError.self) { try StoreKitCatalogue(files: files) }
        #expect(error?.message == "Second.storekit: with this file the catalogue has more than 10000 products.")
    }
}

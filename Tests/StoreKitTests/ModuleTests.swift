// Import nothing else here: StoreKit alone must provide everything that is used below.
import StoreKit
import Testing

@Suite struct ModuleTests {
    @Test("C1: the module is named StoreKit and exports Foundation")
    func foundationIsExported() {
        let data: StoreKit.Data = Data([1])
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        #expect(data.count == 1 && Bundle.main.bundlePath != "" && Date().timeIntervalSince1970 > 0)
    }

    @Test("C2: it is a product of a package without unsafe flags")
    func itIsAnOrdinaryProduct() throws {
        let manifest = try String(contentsOf: Sources.root.appending(path: "Package.swift"), encoding: .utf8)
        #expect(manifest.contains(#".library(name: "StoreKit", targets: ["StoreKit"])"#))
        #expect(!manifest.contains("unsafeFlags"))
    }

    @Test("C4: all public names are StoreKit 1's, by their prefix")
    func onlyTheOriginalNamesAreOffered() throws {
        var names: [Substring] = []
        for text in try Sources.texts(in: "Sources/StoreKit") {
            names += text.matches(
                of: /^(?:public|open) (?:final )?(?:class|struct|enum|protocol|typealias|let|var|func) (\w+)/
                    .anchorsMatchLineEndings()
            ).map { $0.output.1 }
        }
        #expect(names.contains("SKPaymentQueue"))
        #expect(names.filter { !$0.contains(/^_?SK/) } == [], "names of others")
        for name in ["SKStoreReviewController", "SKAdNetwork", "SKOverlay", "SKProductStorePromotionController"] {
            try MovingPage.explains("C4", name)
        }
        try MovingPage.explains("C5", "SKTestSession")
    }
}

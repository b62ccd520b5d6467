import Foundation
import Testing

@Suite struct ReceiptTests {
    @Test("C30: Foundation's own appStoreReceiptURL stays the only one")
    func foundationsReceiptURLIsNotAmbiguous() throws {
        #expect(Bundle.main.appStoreReceiptURL == nil)
        #expect(try Sources.texts(in: "Sources/StoreKit").allSatisfy { !$0.contains("var appStoreReceiptURL") })
        try MovingPage.explains("C30", "appStoreReceiptURL")
    }

    @Test("C31: Bundle has no subclasses on Linux, which is said")
    func bundlesAreNotSubclassed() throws {
        try MovingPage.explains("C31", "Bundle")
    }

    @Test("C32: Foundation is not patched, which is said")
    func foundationIsNotPatched() throws {
        #expect(try Sources.texts(in: "Sources/StoreKit").allSatisfy { !$0.contains("mprotect") })
        try MovingPage.explains("C32", "receipt")
    }
}

import Foundation
import StoreKitTest
import Testing
@testable import StoreKitTest

@Suite struct ErrorTests {
    @Test func codesHaveApplesNumbers() {
        #expect(SKTestError.Code.allCases.map(\.rawValue) == Array(0...7))
        #expect(SKTestError.noTransactionFound.rawValue == 6)
        #expect(SKTestErrorDomain == "SKTestErrorDomain")
    }

    @Test func anErrorIsAnNSErrorToo() {
        let error = SKTestError(.invalidAction, userInfo: [NSLocalizedDescriptionKey: "No."]) as NSError
        #expect(error.domain == SKTestErrorDomain && error.code == 7)
        #expect(error.localizedDescription == "No.")
        #expect(SKTestError(.invalidURL).localizedDescription == "The session refused with invalidURL.")
    }

    @Test func anErrorIsCaughtByItsCode() throws {
        let session = try Store.session()
        do {
            try session.refundTransaction(identifier: 1)
            Issue.record("The refund did not throw.")
        } catch SKTestError.noTransactionFound {
            #expect(session.allTransactions().isEmpty)
        }
    }
}

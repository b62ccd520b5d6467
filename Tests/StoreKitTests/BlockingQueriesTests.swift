@testable import StoreKit
import Testing

struct BlockingQueriesTests {
    @Test func callersDoNotBlockWhileTheDaemonIsUnavailable() {
        var blockingQueries = BlockingQueries()
        let first = blockingQueries.begin(.storefront)
        #expect(first.answered != nil && first.isFirst)
        let second = blockingQueries.begin(.storefront)
        #expect(second.answered != nil && !second.isFirst, "The question is under way.")
        blockingQueries.isAway = true
        let other = blockingQueries.begin(.canMakePayments)
        #expect(other.answered == nil && other.isFirst)
        let result1 = blockingQueries.end(.canMakePayments, isAway: true)
        #expect(result1.isEmpty)
        let result2 = blockingQueries.end(.storefront, isAway: false)
        #expect(result2.count == 2)
        let result3 = blockingQueries.begin(.canMakePayments)
        #expect(result3.answered != nil, "The daemon has answered.")
    }
}

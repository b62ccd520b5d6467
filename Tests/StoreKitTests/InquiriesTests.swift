@testable import StoreKit
import Testing

struct InquiriesTests {
    @Test func whileTheDaemonIsAwayNobodyWaits() {
        var inquiries = Inquiries()
        let first = inquiries.begin(.storefront)
        #expect(first.answered != nil && first.isFirst)
        let second = inquiries.begin(.storefront)
        #expect(second.answered != nil && !second.isFirst, "The question is under way.")
        inquiries.isAway = true
        let other = inquiries.begin(.canMakePayments)
        #expect(other.answered == nil && other.isFirst)
        let result1 = inquiries.end(.canMakePayments, isAway: true)
        #expect(result1.isEmpty)
        let result2 = inquiries.end(.storefront, isAway: false)
        #expect(result2.count == 2)
        let result3 = inquiries.begin(.canMakePayments)
        #expect(result3.answered != nil, "The daemon has answered.")
    }
}

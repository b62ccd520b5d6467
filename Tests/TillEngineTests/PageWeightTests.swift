import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

@Suite struct PageWeightTests {
    @Test(arguments: [
        ([], 0), ([1], 1), ([PageWeight.maximum + 1], 1), ([PageWeight.maximum + 1, 1], 1),
        ([PageWeight.maximum - 1, 1, 1], 2), ([1, PageWeight.maximum], 1),
    ])
    func aPageHoldsWhatFitsAndOneAtLeast(_ weights: [Int], _ count: Int) {
        #expect(PageWeight.page(of: weights) { $0 } == Array(weights.prefix(count)))
    }

    @Test(arguments: [0, 116, 117, 500])
    func productsComeInPagesEachOnceAndInOrder(more: Int) {
        let catalogue = TestCatalogue()
        catalogue.add(more)
        let engine = EngineHarness(catalogue: catalogue).engine
        var ids: [String] = []
        var pages = 0
        var token: String? = ""
        while let current = token {
            let (page, next) = engine.allProducts(token: current, locale: nil)
            ids += page.map(\.id)
            pages += 1
            token = next
        }
        #expect(ids == catalogue.productIDs)
        #expect(pages == (ids.count + 127) / 128)
    }

    @Test func changesThatDoNotFitIntoABatchComeWithTheNext() async throws {
        let catalogue = TestCatalogue()
        catalogue.host(16, for: "pro")
        let count = 40
        try await EngineHarness(catalogue: catalogue).run { harness in
            for _ in 0..<count {
                _ = try await harness.buy("pro")
            }
            var token: UInt64 = 0
            var pages: [[Transaction]] = []
            repeat {
                let (page, next) = try await harness.engine.transactions(
                    in: EngineHarness.notes,
                    token: token,
                    includeFinished: false,
                    limit: PaymentEngine.pageMaximum
                )
                pages.append(page)
                token = next ?? 0
            } while token != 0
            #expect(pages.count > 1)
            #expect(Set(pages.joined().map(\.id)).count == count)
            let events = try await harness.events(after: nil) { $0.contains(.initialDeliveryEnded) }
            #expect(Set(events.compactMap { $0.transaction?.id }).count == count)
            #expect(events.count == count + 2)
        }
    }
}

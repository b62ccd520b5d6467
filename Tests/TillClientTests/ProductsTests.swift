import Testing
import TillClient
import TillEngine
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct ProductsTests {
    @Test func requestedProductsAreFoundOrReportedWithAReason() async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                let answer = try await daemon.queue().products(["pro", "nothing", "coins", "a b"])
                #expect(Set(answer.products.map(\.id)) == ["pro", "coins"])
                #expect(answer.invalid.keys.sorted() == ["a b", "nothing"])
                #expect(answer.invalid.values.allSatisfy { !$0.isEmpty })
            }
        }
    }

    @Test(arguments: [0, 1, 64, 65, 200])
    func manyIdentifiersAreAskedForInSeveralRequests(count: Int) async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                let ids = (0..<count).map { "missing\($0)" }
                let answer = try await daemon.queue().products(ids)
                #expect(answer.invalid.count == count)
            }
        }
    }

    @Test func everyProductIsListed() async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                let queue = daemon.queue()
                let all = try await queue.allProducts()
                #expect(all.map(\.id) == TestCatalogue().productIDs)
                let storefront = TestCatalogue().storefront(countryCode: TestCatalogue().settings.storefront)
                #expect(try await queue.storefront() == storefront)
                #expect(try await queue.canMakePayments())
            }
        }
    }

    @Test func theStatusNamesTheAccountAndTheLedger() async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                let status = try await daemon.queue().status()
                #expect(status.server == "test/1")
                #expect(status.account == daemon.name.account)
                #expect(status.ledgerID == daemon.engine.timelineID)
                #expect(status.isServing)
            }
        }
    }
}

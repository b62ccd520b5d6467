import FoundationEssentials
import Testing
import TillEngine
import TillModel
import TillTesting

@Suite struct PageTokenTests {
    /// What lists answer pages.
    enum List: CaseIterable {
        case transactions, unfinished, entitlements, subscriptions, downloads, requests, operatorTransactions

        func page(_ engine: PaymentEngine, token: UInt64) async throws -> (count: Int, next: UInt64?) {
            let name = EngineHarness.notes
            switch self {
            case .transactions:
                let page = try await engine.transactions(in: name, token: token, includeFinished: true, limit: 1)
                return (page.page.count, page.next)
            case .unfinished:
                let page = try await engine.transactions(in: name, token: token, includeFinished: false, limit: 1)
                return (page.page.count, page.next)
            case .entitlements:
                let page = try await engine.entitlements(in: name, token: token, limit: 1)
                return (page.page.count, page.next)
            case .subscriptions:
                let page = try await engine.subscriptions(in: name, token: token, limit: 1)
                return (page.page.count, page.next)
            case .downloads:
                let page = try await engine.downloads(in: name, token: token)
                return (page.page.count, page.next)
            case .requests:
                let approver = Approver(uid: 1000, account: name.account, approvesForOthers: false)
                let page = try await engine.authorizationRequests(for: approver, token: token, limit: 1)
                return (page.page.count, page.next)
            case .operatorTransactions:
                let filter = TransactionFilter()
                let page = try await engine.operatorTransactions(matching: filter, token: token, limit: 1)
                return (page.page.count, page.next)
            }
        }
    }

    /// A queue with two purchases and a subscription, after a purchase and a subscription of another account.
    private static func run(_ body: @escaping @Sendable (EngineHarness) async throws -> Void) async throws {
        let other = QueueName(application: EngineHarness.notes.application, account: "uid:1001")
        try await EngineHarness().run { harness in
            _ = try await harness.own("pro", in: other)
            _ = try await harness.own("monthly", in: other)
            for product in ["pro", "monthly", "themes"] {
                _ = try await harness.own(product)
            }
            try await body(harness)
        }
    }

    @Test(arguments: List.allCases)
    func aTokenThatNoPageGaveIsInvalid(_ list: List) async throws {
        // Of no row, of no subscription, and of no key.
        var tokens: [UInt64] = [900, 1 << 62 | 900, 1 << 63, .max]
        switch list {
        case .downloads: tokens = [1 << 63, .max]
        // The tokens are the queue's revisions so far.
        case .transactions, .operatorTransactions: break
        default: tokens += [1, 1 << 62 | 1]
        }
        try await Self.run { [tokens] harness in
            for token in tokens {
                await expect(.invalidArgument) { _ = try await list.page(harness.engine, token: token) }
            }
        }
    }

    @Test(arguments: List.allCases)
    func everyTokenThatAPageGaveIsTaken(_ list: List) async throws {
        try await Self.run { harness in
            var token: UInt64? = 0
            var count = 0
            while let next = token {
                let page = try await list.page(harness.engine, token: next)
                count += page.count
                token = page.next
            }
            let expected =
                switch list {
                case .transactions, .entitlements: 3
                case .subscriptions: 1
                case .operatorTransactions: 5
                case .unfinished, .downloads, .requests: 0
                }
            #expect(count == expected)
        }
    }

    @Test func aQueueThatNobodyHasUsedGaveNoToken() async throws {
        try await EngineHarness().run { harness in
            for list in List.allCases where list != .downloads {
                let first = try await list.page(harness.engine, token: 0)
                #expect(first.count == 0 && first.next == nil)
                for token in [UInt64(1), 1 << 62] {
                    await expect(.invalidArgument) { _ = try await list.page(harness.engine, token: token) }
                }
            }
        }
    }
}

import FoundationEssentials
import Testing
import TillAudit
@testable import TillEngine
import TillModel
import TillTesting

@Suite struct AuditTests {
    private static let by = OperatorIdentity(uid: 501, reason: "asked by phone")

    @Test func everyActionIsALinkOfOneChain() async throws {
        try await StoreHarness().run { harness in
            for number in 1...70 {
                _ = try await harness.engine.changeSettings(
                    ["ask-to-buy": "\(number % 2 == 0)"],
                    resetAll: false,
                    by: Self.by
                )
            }
            _ = try await harness.engine.advanceClock(by: .seconds(60), by: Self.by)
            var head = AuditHead.start
            var links: [AuditLink] = []
            while true {
                let page = try await harness.engine.audit(after: head.sequence, limit: 64)
                guard !page.isEmpty else {
                    break
                }
                guard case .intact(let next) = AuditChain.verify(page, after: head) else {
                    Issue.record("The chain is broken after \(head.sequence).")
                    return
                }
                links += page
                head = next
            }
            #expect(links.count == 71)
            #expect(links.last?.action == "AdvanceClock")
            #expect(links.allSatisfy { $0.uid == 501 && $0.reason == "asked by phone" })
        }
    }

    @Test func refusedCommandsLeaveNoLink() async throws {
        try await StoreHarness().run { harness in
            _ = try? await harness.engine.changeSettings(["nothing": "1"], resetAll: false, by: Self.by)
            _ = try? await harness.engine.refund(RefundOrder(transactionID: UUID()), by: Self.by)
            _ = try? await harness.engine.advanceClock(by: .seconds(-1), by: Self.by)
            let links = try await harness.audit()
            #expect(links.isEmpty)
        }
    }

    @Test func aReasonOf256BytesIsTheLongest() {
        #expect(throws: Never.self) {
            try OperatorIdentity(uid: 0, reason: String(repeating: "x", count: 256)).validate()
        }
        #expect(throws: TillError.self) {
            try OperatorIdentity(uid: 0, reason: String(repeating: "ü", count: 129)).validate()
        }
    }

    @Test(arguments: [0, -1, 65])
    func aPageHasALimit(limit: Int) async throws {
        try await StoreHarness().run { harness in
            await expect(.invalidArgument) { _ = try await harness.engine.audit(after: 0, limit: limit) }
        }
    }
}

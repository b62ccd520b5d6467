@testable import CrashStates
import Testing

@Suite struct RecentOpeningsTests {
    @Test func aRepeatedDiskIsOpenedOnce() async throws {
        var openings = RecentOpenings()
        var opened: [UInt8] = []
        func open(_ byte: UInt8) async throws {
            _ = try await openings.opening(of: Self.disk(byte)) {
                opened.append(byte)
                return StateCheck.Opening()
            }
        }
        for byte in [1, 2, 1, 2] as [UInt8] {
            try await open(byte)
        }
        #expect(opened == [1, 2])
        for byte in 3...UInt8(RecentOpenings.countMaximum + 2) {
            try await open(byte)
        }
        opened = []
        try await open(2)
        #expect(opened == [2], "the oldest is evicted at the limit")
    }

    private static func disk(_ byte: UInt8) -> DiskState {
        DiskState(items: [(path: "ledger", item: .file([byte]))])
    }
}

import NIOConcurrencyHelpers
import Testing
import TestValues
import TillEngine
import TillModel

/// The identifiers that applications and servers know transactions and applications by.
@Suite struct IdentifierNumberingTests {
    private static let base: Int64 = 3_000_000_000_000_000_000
    /// Of a ledger that issued 41 plain identifiers.
    private static let older = numbering([(1, 0), (42, base)])
    private static let highest = numbering([(1, IdentifierNumbering.baseEnd - 1)])

    private static func numbering(_ ranges: [(Int64, Int64)]) -> IdentifierNumbering? {
        IdentifierNumbering(ranges: ranges.map { IdentifierNumbering.Range(firstKey: $0.0, base: $0.1) })
    }

    private static let numbers: [(Int64, Int64)] = [
        (1, 1), (41, 41), (42, base + 42), (1_000_000_000_000, base + 1_000_000_000_000),
    ]

    @Test(arguments: numbers)
    func aKeyHasTheBaseOfItsRange(key: Int64, number: Int64) throws {
        let numbering = try #require(Self.older)
        #expect(numbering.number(ofKey: key) == number)
        #expect(numbering.identifier(ofKey: key) == "\(number)")
        #expect(numbering.key(ofNumber: number) == key)
    }

    @Test(arguments: [0, -1, 42, base, base + 41, base - 7, .min] as [Int64])
    func aNumberThatNoKeyHasIsNotFound(number: Int64) throws {
        let numbering = try #require(Self.older)
        #expect(numbering.key(ofNumber: number) == nil)
    }

    @Test(arguments: [.min, -1, 0, .max] as [Int64])
    func aDamagedKeyTrapsNowhere(key: Int64) throws {
        let numbering = try #require(Self.highest)
        #expect(!numbering.identifier(ofKey: key).isEmpty)
    }

    @Test func rangesThatLeaveKeysOutOrAreOutOfBoundsAreRefused() {
        let refused: [[(Int64, Int64)]] = [
            [], [(0, 0)], [(2, 0)], [(1, -1)], [(1, IdentifierNumbering.baseEnd)], [(1, 0), (1, 5)],
            [(1, 0), (9, 1), (8, 2)],
        ]
        for ranges in refused {
            #expect(Self.numbering(ranges) == nil, "\(ranges)")
        }
    }

    @Test func drawnIdentifiersHaveNineteenDigitsAndAreNeverOfBothKinds() {
        for seed in 0..<1000 {
            var random = SplitMix64(seed: UInt64(seed))
            let numbering = LedgerNumbering.drawn(using: &random)
            let transaction = numbering.transactions.number(ofKey: 1_000_000_000)
            let application = numbering.applications.number(ofKey: 1_000_000_000)
            #expect("\(transaction)".count == 19 && "\(application)".count == 19 && application < transaction)
            #expect(transaction > 0 && Double(transaction) < 0x1p63)
        }
    }

    @Test func theSameRandomNumbersDrawTheSameNumbering() {
        var (first, second) = (SplitMix64(seed: 7), SplitMix64(seed: 7))
        #expect(LedgerNumbering.drawn(using: &first) == LedgerNumbering.drawn(using: &second))
    }

    @Test func twoStoresIssueDifferentIdentifiers() async throws {
        let identifiers = NIOLockedValueBox<[String]>([])
        for _ in 1...2 {
            try await EngineHarness().run { harness in
                let first = try await harness.own("pro")
                let again = try await harness.buy("pro")
                #expect(again.original?.purchase == first.purchase)
                let bought = [first, again].compactMap(\.purchase?.transactionIdentifier)
                identifiers.withLockedValue { $0 += bought }
            }
        }
        let all = identifiers.withLockedValue { $0 }
        #expect(all.count == 4 && Set(all).count == 4)
        #expect(all.allSatisfy { Int64($0).map { $0 > 1 << 60 } == true }, "\(all)")
    }
}

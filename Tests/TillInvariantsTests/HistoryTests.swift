import FoundationEssentials
import Testing
import TillInvariants
import TillModel

@Suite struct HistoryTests {
    private func lines(_ facts: [Fact]) throws -> Data {
        var data = Data()
        for (number, fact) in facts.enumerated() {
            data += try JSONEncoder().encode(FactEntry(at: UInt64(number + 1), run: 1, fact: fact))
            data.append(UInt8(ascii: "\n"))
        }
        return data
    }

    @Test func everyFactOfAStoryRoundTrips() throws {
        let facts = Story().facts
        #expect(try History.entries(of: lines(facts)).map(\.fact) == facts)
    }

    @Test func aTruncatedLineIsNotAFact() throws {
        let whole = try lines(Array(Story().facts.prefix(3)))
        for length in 1..<20 {
            let cut = whole.dropLast(length)
            #expect(try History.entries(of: cut).count == 2)
            #expect(History.wholeLength(of: cut) < cut.count)
        }
    }

    @Test func aMalformedLineIsReportedWithItsNumber() throws {
        let data = try lines([.settled]) + Data("{\"at\":\n".utf8) + lines([.settled])
        let error = #expect(throws: TillError.self) { try History.entries(of: data) }
        #expect(error?.message.contains("Line 2") == true)
    }
}

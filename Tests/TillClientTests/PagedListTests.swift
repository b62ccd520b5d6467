import Testing
import TillModel
@testable import TillClient

@Suite struct PagedListTests {
    /// Three pages, of which one is empty.
    private let pages: [UInt64?: (elements: [Int], next: UInt64?)] = [
        nil: ([1, 2], 7), 7: ([], 9), 9: ([3], nil),
    ]

    @Test func everyPageIsReadInOrderAndOnce() async throws {
        let asked = Collector<UInt64?>()
        let pages = pages
        let list = PagedList<Int> { (token) async throws(TillError) in
            asked.append(token)
            return pages[token] ?? ([], nil)
        }
        var read: [Int] = []
        for try await element in list {
            read.append(element)
        }
        #expect(read == [1, 2, 3])
        #expect(asked.values == [nil, 7, 9])
    }

    @Test func aPageIsFetchedOnlyWhenItIsReached() async throws {
        let asked = Collector<UInt64?>()
        let pages = pages
        let list = PagedList<Int> { (token) async throws(TillError) in
            asked.append(token)
            return pages[token] ?? ([], nil)
        }
        var iterator = list.makeAsyncIterator()
        #expect(asked.values.isEmpty)
        _ = try await iterator.next()
        _ = try await iterator.next()
        #expect(asked.values == [nil])
    }

    @Test func anErrorOfAPageIsThrown() async {
        let list = PagedList<Int> { (_) async throws(TillError) in
            throw TillError(.permissionDenied, "No.")
        }
        await #expect(throws: TillError.self) {
            for try await _ in list {}
        }
    }
}

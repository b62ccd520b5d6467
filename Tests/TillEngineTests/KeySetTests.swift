import Testing
@testable import TillEngine

@Suite struct KeySetTests {
    @Test func itHasWhatWasInsertedAndNotRemoved() {
        var set = KeySet()
        let keys: [Int64] = [7, 1, 4095, 4096, 1 << 62, .max, .min, -1, 0]
        for key in keys {
            let isNew = set.insert(key)
            #expect(isNew)
        }
        let isNewAgain = set.insert(7)
        #expect(!isNewAgain)
        set.remove(4096)
        set.remove(5)
        var found: [Int64] = []
        while case let first = set.removeFirst(2), !first.isEmpty {
            #expect(first.count <= 2)
            found += first
        }
        #expect(found == keys.filter { $0 != 4096 }.sorted())
    }
}

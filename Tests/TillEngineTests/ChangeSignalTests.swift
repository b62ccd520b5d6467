import Testing

@testable import TillEngine

@Suite struct ChangeSignalTests {
    /// A host's own commit may be signalled after the later one of another host.
    @Test func anOlderRevisionWakesNobodyAndIsNotTheNewest() async {
        let changes = ChangeSignal()
        let (wakes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(8))
        let subscription = changes.subscribe(continuation, toQueue: 1)
        #expect(changes.followed == [1])
        for revision: UInt64 in [3, 2, 3, 5] {
            changes.signal([1: revision, 2: revision])
        }
        #expect(changes.isNewest(5, ofQueue: 1) && !changes.isNewest(3, ofQueue: 1))
        continuation.finish()
        var count = 0
        for await _ in wakes {
            count += 1
        }
        #expect(count == 2)
        changes.unsubscribe(subscription)
        #expect(changes.followed.isEmpty && !changes.isNewest(5, ofQueue: 1))
    }
}

import Synchronization
import TestValues

/// A repeatable source of chance that several tasks share.
final class SharedRandom: Sendable {
    private let state: Mutex<SplitMix64>

    init(seed: UInt64) {
        state = Mutex(SplitMix64(seed: seed))
    }

    func below(_ bound: Int) -> Int {
        Int(next() % UInt64(max(bound, 1)))
    }

    func element<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }

    private func next() -> UInt64 {
        state.withLock { $0.next() }
    }
}

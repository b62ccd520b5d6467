import Dispatch
import Synchronization
import TillInvariants

/// The history of an application in this process.
final class Notes: Sendable {
    private let facts = Mutex<[FactEntry]>([])

    var entries: [FactEntry] {
        facts.withLock { $0 }
    }

    func add(_ fact: Fact) {
        facts.withLock { facts in
            facts.append(FactEntry(at: DispatchTime.now().uptimeNanoseconds, run: 1, fact: fact))
        }
    }
}

#if MUTANTS
    import Mutants
#endif

/// Counts the batches that an observer has been sent and has not acknowledged.
struct ObserverWindow: Equatable {
    let size: Int
    private var unacknowledged: [UInt64] = []

    init(size: Int) {
        self.size = size
    }

    var hasRoom: Bool {
        #if MUTANTS
            if Mutant.unboundedObserver.isPlanted {
                return true
            }
        #endif
        return unacknowledged.count < size
    }

    mutating func sent(_ revision: UInt64) {
        unacknowledged.append(revision)
    }

    /// Everything up to `revision` was handled. Repeating or running ahead is harmless.
    mutating func acknowledge(_ revision: UInt64) {
        unacknowledged.removeAll { $0 <= revision }
    }
}

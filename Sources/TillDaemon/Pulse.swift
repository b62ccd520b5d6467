import Synchronization

/// Signs of life, and whether there still are any, as a thread sees it that needs none of the others.
///
/// It counts looks and reads no clock, so that a process that was stopped, or whose machine slept, is not taken for one
/// that hangs.
final class Pulse: Sendable {
    /// So many looks in a row find nothing good before it is over.
    static let stillMaximum = 4

    private let beats = Atomic(0)
    private let isOver = Atomic(false)

    /// Gives a sign of life.
    func beat() {
        beats.add(1, ordering: .relaxed)
    }

    /// Ends the watch at its next look.
    func end() {
        isOver.store(true, ordering: .relaxed)
    }

    /// Looks again and again, until the end. Before the first sign there need be none.
    ///
    /// - Parameters:
    ///   - look: Blocks from one look to the next, and says whether all is well as far as it can see.
    ///   - still: Called once too many looks have found that it is not, or no sign; then the watch is over.
    func watch(look: () -> Bool, still: () -> Void) {
        var seen = 0
        var stillLooks = 0
        while stillLooks < Self.stillMaximum {
            let isWell = look()
            if isOver.load(ordering: .relaxed) {
                return
            }
            let now = beats.load(ordering: .relaxed)
            stillLooks = isWell && (now != seen || now == 0) ? 0 : stillLooks + 1
            seen = now
        }
        still()
    }
}

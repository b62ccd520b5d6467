import Synchronization

/// A heartbeat, and a watch over it for a thread that depends on no other thread.
///
/// The watch counts its checks and reads no clock, so that it does not mistake a stopped process or a sleeping machine for a
/// hang.
final class Pulse: Sendable {
    /// The number of consecutive failed checks that mean a hang.
    static let failuresMaximum = 4

    private let beats = Atomic(0)
    private let isOver = Atomic(false)

    /// Beats once.
    func beat() {
        beats.add(1, ordering: .relaxed)
    }

    /// Ends the watch at its next check.
    func end() {
        isOver.store(true, ordering: .relaxed)
    }

    /// Checks for beats until ``end()`` or a hang. No beat is expected before the first one.
    ///
    /// - Parameters:
    ///   - check: Blocks until the next check is due, and returns whether the check's own test succeeds.
    ///   - hang: Called after too many consecutive checks without a beat or with a failed test; the watch then ends.
    func watch(check: () -> Bool, hang: () -> Void) {
        var seen = 0
        var failures = 0
        while failures < Self.failuresMaximum {
            let isWell = check()
            if isOver.load(ordering: .relaxed) {
                return
            }
            let now = beats.load(ordering: .relaxed)
            failures = isWell && (now != seen || now == 0) ? 0 : failures + 1
            seen = now
        }
        hang()
    }
}

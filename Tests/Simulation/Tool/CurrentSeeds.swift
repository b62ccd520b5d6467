import Glibc
import Synchronization

/// The seeds that are being run, so that a trap in the program does not hide which one it was.
enum CurrentSeeds {
    private final class Slot: Sendable {
        let seed = Atomic<UInt64>(0)
    }

    private static let slots = (0..<Simulate.jobsMaximum).map { _ in Slot() }

    static func set(_ seed: UInt64, ofJob job: Int) {
        slots[job].seed.store(seed, ordering: .relaxed)
    }

    /// Has the seeds printed when the program traps.
    static func showWhenTrapped() {
        // The slots are there before a handler needs them.
        set(0, ofJob: 0)
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT] {
            signal(number) { number in
                CurrentSeeds.show()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// What it does is not meant for a signal handler; but the program traps in its own code, and is at its end.
    private static func show() {
        for slot in slots where slot.seed.load(ordering: .relaxed) > 0 {
            let seed = slot.seed.load(ordering: .relaxed)
            Console.writeError("seed \(seed) was being run; show it with --replay \(seed)")
        }
    }
}

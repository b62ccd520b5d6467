import Glibc
import Synchronization

/// The seeds of the running schedules, so that a trap does not hide which seed caused it.
enum CurrentSeeds {
    private final class Slot: Sendable {
        let seed = Atomic<UInt64>(0)
    }

    private static let slots = (0..<Simulate.jobsMaximum).map { _ in Slot() }

    static func set(_ seed: UInt64, ofJob job: Int) {
        slots[job].seed.store(seed, ordering: .relaxed)
    }

    /// Prints the running seeds when the program traps.
    static func showWhenTrapped() {
        // The slots must exist before a handler reads them.
        set(0, ofJob: 0)
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT] {
            signal(number) { number in
                CurrentSeeds.show()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// This is not safe in a signal handler in general. The traps are in the program's own code, and the program ends
    /// after them.
    private static func show() {
        for slot in slots where slot.seed.load(ordering: .relaxed) > 0 {
            let seed = slot.seed.load(ordering: .relaxed)
            Console.writeError("seed \(seed) was running; show it with --replay \(seed)")
        }
    }
}

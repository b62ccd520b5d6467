import Glibc

/// For how long a thread that may be blocked waits for a server that cannot be reached.
struct Patience {
    private static let pauseMicroseconds: useconds_t = 100_000

    private let end: ContinuousClock.Instant

    init(_ duration: Duration) {
        end = ContinuousClock.now + duration
    }

    /// Blocks for a moment before the next attempt; returns false, at once, when there should be none.
    func pause() -> Bool {
        guard ContinuousClock.now < end else {
            return false
        }
        _ = usleep(Self.pauseMicroseconds)
        return true
    }
}

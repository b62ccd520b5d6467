import NIOCore

/// A token bucket that limits a user's request rate: a pure value; the caller passes the time.
struct TokenBucket: Equatable {
    private let rate: TTRPCServer.RequestRate
    private var tokens: Double
    private var updated: NIODeadline

    /// Creates a full bucket.
    init(rate: TTRPCServer.RequestRate, now: NIODeadline) {
        self.rate = rate
        tokens = rate.burst
        updated = now
    }

    /// Takes one token, if there is one.
    mutating func take(now: NIODeadline) -> Bool {
        refill(now: now)
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// Whether the bucket is full, so that it can be evicted without effect.
    mutating func isFull(now: NIODeadline) -> Bool {
        refill(now: now)
        return tokens >= rate.burst
    }

    private mutating func refill(now: NIODeadline) {
        guard now > updated else { return }
        let seconds = Double((now - updated).nanoseconds) / 1e9
        tokens = min(rate.burst, tokens + seconds * rate.perSecond)
        updated = now
    }
}

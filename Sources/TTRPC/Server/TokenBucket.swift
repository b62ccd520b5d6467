import NIOCore

/// How many requests a user may still make at once; a pure value, the time is given.
struct TokenBucket: Equatable {
    private let rate: TTRPCServer.RequestRate
    private var tokens: Double
    private var updated: NIODeadline

    /// Makes a full bucket.
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

    /// Whether nothing would be forgotten with this bucket.
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

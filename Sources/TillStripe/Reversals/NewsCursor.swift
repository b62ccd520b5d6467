import Foundation

/// Where the provider continues to look for news, as the ledger keeps it.
struct NewsCursor: Hashable, Sendable, Codable {
    /// A walk through all recent refunds and disputes, the newest first.
    struct Sweep: Hashable, Sendable, Codable {
        var kind = StripeReversal.Kind.refunds
        /// Unix time when it began.
        var began: Int64
        /// The last object that was read; nil before the first.
        var last: String?
    }

    /// Unix time up to which events were read.
    var events: Int64
    /// The sweep under way.
    var sweep: Sweep?
    /// Unix time of the next sweep.
    var nextSweep: Int64
    /// Unix time up to which payers' changes were read.
    var changes: Int64
    /// The events about changes since then that were followed.
    var followed: [String] = []

    /// Events are looked for again for so long, because Stripe may list them late, and clocks differ. In seconds.
    static let overlap: Int64 = 600
    /// Between two sweeps, which find what no event told. In seconds.
    static let sweepInterval: Int64 = 86_400
    /// How old refunds and disputes are that a sweep still looks at, in seconds: banks decide within months.
    static let sweepAges: [StripeReversal.Kind: Int64] = [.refunds: 90 * 86_400, .disputes: 400 * 86_400]
    /// Events that are followed one by one in a round. More refunds and disputes at once are left to a sweep, and more changes
    /// to the next round.
    static let eventsMaximum = 20

    /// The first: everything is looked at.
    init(startingAt now: Int64) {
        events = now
        nextSweep = now
        changes = now
    }

    /// - Parameter text: As the ledger keeps it; another text starts again.
    init(_ text: String?, now: Int64) {
        let stored = text.flatMap { try? JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
        self = stored ?? Self(startingAt: now)
        // The clock was set back.
        nextSweep = min(nextSweep, now + Self.sweepInterval)
        events = min(events, now)
        changes = min(changes, now)
        if sweep == nil, nextSweep <= now {
            sweep = Sweep(began: now)
        }
    }

    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Continues after a page of the sweep.
    ///
    /// - Parameter last: The last object on the page; nil if no more follow.
    mutating func advance(_ sweep: Sweep, to last: String?) {
        if let last {
            self.sweep?.last = last
        } else if sweep.kind == .refunds {
            self.sweep = Sweep(kind: .disputes, began: sweep.began)
        } else {
            self.sweep = nil
            nextSweep = sweep.began + Self.sweepInterval
            events = sweep.began
        }
    }
}

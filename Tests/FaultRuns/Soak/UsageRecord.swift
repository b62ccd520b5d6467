/// The memory and descriptors over time of a daemon that was never restarted.
package struct UsageRecord: Sendable {
    /// The fraction of the time in which the caches fill.
    static let warmUp = 1.0 / 3
    /// The fraction by which resident memory may grow after the warm-up.
    static let growthMaximum = 0.05
    /// The maximum difference in descriptors of an idle daemon: some connections may be about to close.
    static let descriptorsMaximum = 4
    /// The minimum duration for a judgement; the caches of a shorter soak are still filling.
    static let judgedFrom = Duration.seconds(3000)

    private var work: [(time: Duration, usage: ProcessUsage)] = []
    private var idle: [(time: Duration, usage: ProcessUsage)] = []

    mutating func note(_ usage: ProcessUsage, at time: Duration, isIdle: Bool) {
        if isIdle {
            idle.append((time, usage))
        } else {
            work.append((time, usage))
        }
    }

    private var end: Duration {
        max(work.last?.time ?? .zero, idle.last?.time ?? .zero)
    }

    /// The medians of resident memory in the tenth of the time after the warm-up, and in the last tenth.
    private var resident: (first: Int, last: Int)? {
        func median(_ times: ClosedRange<Double>) -> Int? {
            let found = work.filter { times.contains($0.time / end) }.map(\.usage.residentKibibytes).sorted()
            return found.isEmpty ? nil : found[found.count / 2]
        }
        guard let first = median(Self.warmUp...Self.warmUp + 0.1), let last = median(0.9...1) else {
            return nil
        }
        return (first, last)
    }

    private var descriptors: ClosedRange<Int>? {
        let counts = idle.map(\.usage.descriptors)
        return counts.min().flatMap { low in counts.max().map { low...$0 } }
    }

    package func report(_ figures: inout Figures, _ findings: inout Findings) {
        let isJudged = end >= Self.judgedFrom
        if let resident {
            let growth = Double(resident.last - resident.first) / Double(resident.first)
            figures.add("resident after warm-up, KiB", resident.first)
            figures.add("resident at the end, KiB", resident.last)
            figures.add("resident at most, KiB", work.map(\.usage.residentKibibytes).max() ?? 0)
            figures.add("growth", "\((growth * 1000).rounded() / 10) %\(isJudged ? "" : " (too short to be judged)")")
            if isJudged && growth > Self.growthMaximum {
                findings.fail("the daemon's resident memory grew from \(resident.first) to \(resident.last) KiB")
            }
        }
        if let descriptors {
            figures.add("descriptors while idle", "\(descriptors.lowerBound) to \(descriptors.upperBound)")
            if descriptors.count - 1 > Self.descriptorsMaximum {
                findings.fail("the daemon had \(descriptors) descriptors while idle")
            }
        }
    }
}

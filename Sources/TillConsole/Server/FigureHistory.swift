import FoundationEssentials
import NIOConcurrencyHelpers
import TillEngine
import TillMetrics
import TillModel

/// The daemon's figures of the last hour, for plots. They are kept in memory only.
final class FigureHistory: Sendable {
    static let interval = Duration.seconds(10)
    /// The points of an hour.
    static let pointsMaximum = 360

    /// What is plotted.
    enum Series: CaseIterable {
        case unfinished
        /// The age of the oldest unfinished transaction.
        case oldest
        case commands
        case commitTime
        case callTime
    }

    struct Point: Hashable, Sendable {
        var date: Date
        /// A series that had nothing to measure has no value.
        var values: [Series: Double]
    }

    private struct State {
        var last: (reading: MetricReading, date: Date)?
        var points: [Point] = []
    }

    private let state = NIOLockedValueBox(State())

    /// Reads the figures regularly until the task is cancelled.
    func run(_ samples: @Sendable () async -> [MetricSample], time: any TimeSource) async {
        repeat {
            add(MetricReading(samples: await samples()), at: time.now())
        } while (try? await time.sleep(for: Self.interval)) != nil
    }

    /// Adds a reading. The first one has no rates yet.
    func add(_ reading: MetricReading, at date: Date) {
        state.withLockedValue { state in
            let rates = state.last.map { last in
                MetricRates(before: last.reading, after: reading, seconds: date.timeIntervalSince(last.date))
            }
            state.last = (reading, date)
            state.points.append(Point(date: date, values: Self.values(reading, rates)))
            if state.points.count > Self.pointsMaximum {
                state.points.removeFirst()
            }
        }
    }

    /// The points, the oldest first.
    var points: [Point] {
        state.withLockedValue(\.points)
    }

    private static func values(_ reading: MetricReading, _ rates: MetricRates?) -> [Series: Double] {
        var values: [Series: Double] = [:]
        for series in Series.allCases {
            values[series] =
                switch series {
                case .unfinished: reading.value(.unfinished)
                case .oldest: reading.maximum(.oldestUnfinished)
                case .commands: rates?.rate { $0.total(of: .commitCommands) }
                case .commitTime: rates?.mean(of: .commitDuration).map { $0 * 1000 }
                case .callTime: rates?.mean(of: .providerCallDuration).map { $0 * 1000 }
                }
        }
        return values
    }
}

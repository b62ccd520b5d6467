import FoundationEssentials
import Testing
import TillMetrics
import TillModel
@testable import TillConsole

/// Readings become points of an hour, and points become lines.
@Suite struct PlotsTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private static func reading(unfinished: Double, commits: Double, seconds: Double) -> MetricReading {
        MetricReading(samples: [
            MetricSample(name: "till_transactions_unfinished", value: unfinished),
            MetricSample(name: "till_commit_commands_count", value: commits),
            MetricSample(name: "till_commit_commands_sum", value: commits * 2),
            MetricSample(name: "till_commit_duration_seconds_count", value: commits),
            MetricSample(name: "till_commit_duration_seconds_sum", value: seconds),
        ])
    }

    @Test func ratesAreOfTheTimeBetweenTwoReadings() throws {
        let history = FigureHistory()
        history.add(Self.reading(unfinished: 1, commits: 10, seconds: 1), at: Self.start)
        history.add(Self.reading(unfinished: 3, commits: 30, seconds: 1.1), at: Self.start.addingTimeInterval(10))
        history.add(Self.reading(unfinished: 2, commits: 30, seconds: 1.1), at: Self.start.addingTimeInterval(20))
        let points = history.points
        #expect(points.map { $0.values[.commands] } == [nil, 4, 0])
        let time = try #require(points[1].values[.commitTime])
        #expect(abs(time - 5) < 0.001, "20 commits took 100 ms")
        #expect(points[2].values[.commitTime] == nil, "without a commit there is no time of one")
        #expect(points.allSatisfy { $0.values[.callTime] == nil })
    }

    @Test func onlyAnHourIsKept() {
        let history = FigureHistory()
        for number in 0..<400 {
            let date = Self.start.addingTimeInterval(Double(number) * 10)
            history.add(Self.reading(unfinished: Double(number), commits: 0, seconds: 0), at: date)
        }
        #expect(history.points.count == FigureHistory.pointsMaximum)
        #expect(history.points.last?.date == Self.start.addingTimeInterval(3_990))
    }

    @Test func aLineHasAGapWhereNothingWasMeasured() {
        let values: [Double?] = [1, 2, nil, 4]
        let points = values.enumerated().map { index, value in
            FigureHistory.Point(
                date: Self.start.addingTimeInterval(Double(index) * 10),
                values: value.map { [.callTime: $0] } ?? [:]
            )
        }
        let html = Plots(points: points).html.text
        #expect(html.contains("now 4.0 ms, at most 4.0 ms"))
        #expect(html.ranges(of: "<polyline").count == 2, "\(html)")
        #expect(html.contains("315.4,56.0 316.2,38.0"), "the first line rises to half of the height: \(html)")
        #expect(html.contains("318.0,2.0 318.0,2.0"), "the last point is at the right end, at the top: \(html)")
    }

    @Test(arguments: [Double.infinity, .nan, -1, 1e300])
    func anyValueCanBeShown(value: Double) {
        for series in FigureHistory.Series.allCases {
            #expect(!series.text(value).isEmpty)
        }
    }
}

/// The outcomes of all daemons whose system calls failed.
package struct IOFaultReport: Sendable {
    /// The maximum time from a failed write to the daemon's end.
    static let stopMaximum = Duration.seconds(1)

    package private(set) var findings = Findings()
    /// Runs in which the call was made and failed.
    package private(set) var runs = 0
    private let cases: Int
    private var untouched = 0
    private var outcomes: [String: Int] = [:]
    private var scenarios: [String: Int] = [:]
    private var stops: [Duration] = []

    init(cases: Int) {
        self.cases = cases
    }

    mutating func add(_ report: IORun.Report, of scenario: IOScenario, _ fault: IOFault) {
        findings.add(report.findings)
        guard report.outcome != .untouched else {
            untouched += 1
            return
        }
        runs += 1
        outcomes["\(fault.family): \(report.outcome)", default: 0] += 1
        scenarios[scenario.rawValue, default: 0] += 1
        if let stop = report.stop {
            stops.append(stop)
        }
    }

    package func figures() -> Figures {
        var figures = Figures()
        figures.add("cases", cases)
        figures.add("runs with a failed call", runs)
        figures.add("runs that did not reach the call", untouched)
        figures.add("scenario", scenarios)
        figures.add("after", outcomes)
        let sorted = stops.sorted()
        if let last = sorted.last {
            figures.add("daemons that stopped by themselves", sorted.count)
            figures.add("time to stop, median", sorted[sorted.count / 2])
            figures.add("time to stop, 99 %", sorted[sorted.count * 99 / 100])
            figures.add("time to stop, at most", last)
            figures.add("longer than \(Self.stopMaximum)", sorted.count { $0 > Self.stopMaximum })
        }
        figures.add(findings)
        return figures
    }
}

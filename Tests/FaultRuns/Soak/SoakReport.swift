/// The activity and the findings of one part of a soak.
package struct SoakReport: Sendable {
    package var name: String
    package var findings = Findings()
    package var usage = UsageRecord()
    package var faults: [String: Int] = [:]
    package var ends: [String: Int] = [:]
    package var epochs = 0
    /// The longest time from an injected fault to the daemon's end.
    package var slowestStop = Duration.zero

    /// The rows of this part.
    package mutating func figures() -> Figures {
        var figures = Figures()
        figures.add("\(name): epochs checked", epochs)
        figures.add("\(name): faults", faults.values.reduce(0, +))
        figures.add("\(name): fault", faults)
        figures.add("\(name): ended", ends)
        if slowestStop > .zero {
            figures.add("\(name): longest from a full disk or a failed flush to the end", slowestStop)
        }
        usage.report(&figures, &findings)
        figures.add(findings)
        return figures
    }
}

/// The size of a load.
struct Shape: Hashable, Codable, Sendable {
    /// The number of connections; for fan-out, of observers.
    let connections: Int
    /// The number of requests in flight per connection; for fan-out, of adds in flight in all; for rows, of rows per
    /// transaction.
    let inFlight: Int

    init(_ connections: Int, _ inFlight: Int) {
        self.connections = connections
        self.inFlight = inFlight
    }

    /// Parses a text such as `64x1`.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard parts.count == 2, parts.allSatisfy({ (1...4096).contains($0) }) else {
            return nil
        }
        self.init(parts[0], parts[1])
    }

    func title(of scenario: Scenario) -> String {
        switch scenario {
        case .adds, .lives, .echo: "\(count(connections, "connection")) × \(inFlight) in flight"
        case .fanOut: "\(observers), \(count(inFlight, "add")) in flight"
        case .fanOutPaced: "\(observers), \(Scenario.pace) adds per second"
        case .fanOutStopped: "\(observers) and one that stopped, \(count(inFlight, "add")) in flight"
        case .rows: "\(count(inFlight, "payment")) per transaction"
        }
    }

    private var observers: String {
        count(connections, "observer")
    }

    private func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}

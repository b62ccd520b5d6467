import ArgumentParser

/// The peers to measure, and the settings of the measurement.
struct Plan {
    let scenarios: [Scenario]
    let trials: [any Trial]
    let shapes: [Shape]?
    let repetitions: Int
    let peers: [any Peer]
    /// The peers and scenarios that cannot be measured here, with reasons.
    let skipped: [(name: String, reason: String)]

    init(_ options: BenchOptions, tools: Tools) throws {
        let names = try Self.names(options.scenario)
        scenarios = Scenario.allCases.filter { names.contains($0.rawValue) }
        shapes = try options.shapes.map(Self.shapes)
        repetitions = options.repetitions
        let chosen = try Peers.till(options) + Self.others(options)
        let trials = Trials.all(options).filter { names.contains($0.name) }
        func lack(of programs: [Program]) -> String? {
            programs.first { tools.path(of: $0.name) == nil }.map { "\($0.name) is missing: \($0.remedy)" }
        }
        peers = chosen.filter { lack(of: $0.programs) == nil }
        self.trials = trials.filter { lack(of: $0.programs) == nil }
        skipped =
            chosen.compactMap { peer in lack(of: peer.programs).map { (peer.name, $0) } }
            + trials.compactMap { trial in lack(of: trial.programs).map { (trial.name, $0) } }
    }

    /// The valid scenario names.
    static var scenarioList: String {
        (Scenario.allCases.map(\.rawValue) + Trials.names).joined(separator: ", ")
    }

    /// The names of scenarios and trials.
    private static func names(_ text: String) throws -> Set<String> {
        let all = Set(Scenario.allCases.map(\.rawValue) + Trials.names)
        guard text != "all" else {
            return all
        }
        let names = Set(text.split(separator: ",").map(String.init))
        if let unknown = names.subtracting(all).min() {
            throw ValidationError("Unknown scenario \(unknown): use \(scenarioList).")
        }
        return names
    }

    private static func shapes(_ text: String) throws -> [Shape] {
        try text.split(separator: ",").map { text in
            guard let shape = Shape(text) else {
                throw ValidationError("Invalid size \(text): use for example 64x1.")
            }
            return shape
        }
    }

    private static func others(_ options: BenchOptions) throws -> [any Peer] {
        let all = Peers.others(options)
        switch options.peers {
        case "all":
            return all
        case "none", "":
            return []
        default:
            return try options.peers.split(separator: ",").map { name in
                guard let peer = all.first(where: { $0.name == name }) else {
                    let names = Peers.names.joined(separator: ", ")
                    throw ValidationError("Unknown peer \(name): use \(names).")
                }
                return peer
            }
        }
    }
}

import ArgumentParser

/// Who is measured, and how.
struct Plan {
    let scenarios: [Scenario]
    let shapes: [Shape]?
    let repetitions: Int
    let peers: [any Peer]
    /// The peers that cannot be measured here, each with the reason.
    let skipped: [(name: String, reason: String)]

    init(_ options: BenchOptions, tools: Tools) throws {
        scenarios = try Self.scenarios(options.scenario)
        shapes = try options.shapes.map(Self.shapes)
        repetitions = options.repetitions
        let chosen = try Peers.till(options) + Self.others(options)
        var present: [any Peer] = []
        var skipped: [(name: String, reason: String)] = []
        for peer in chosen {
            if let missing = peer.programs.first(where: { tools.path(of: $0.name) == nil }) {
                skipped.append((peer.name, "there is no \(missing.name); \(missing.remedy)"))
            } else {
                present.append(peer)
            }
        }
        peers = present
        self.skipped = skipped
    }

    private static func scenarios(_ text: String) throws -> [Scenario] {
        guard text != "all" else {
            return Scenario.allCases
        }
        return try text.split(separator: ",").map { name in
            guard let scenario = Scenario(rawValue: String(name)) else {
                throw ValidationError("There is no scenario \(name); those there are: \(Scenario.list).")
            }
            return scenario
        }
    }

    private static func shapes(_ text: String) throws -> [Shape] {
        try text.split(separator: ",").map { text in
            guard let shape = Shape(text) else {
                throw ValidationError("\(text) is no size like 64x1.")
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
                    throw ValidationError("There is no peer \(name); those there are: \(names).")
                }
                return peer
            }
        }
    }
}

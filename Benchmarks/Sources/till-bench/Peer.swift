/// A program to measure: how to start it, and the command that measures it.
protocol Peer: Sendable {
    var name: String { get }
    /// Describes what the peer guarantees once it has answered.
    func promise(in scenario: Scenario) -> String
    var scenarios: Set<Scenario> { get }
    /// The needed programs and their Debian packages, in the order of the search.
    var programs: [Program] { get }
    /// Describes why the peer cannot take this load; nil if it can.
    func refusal(of shape: Shape, in scenario: Scenario) -> String?
    /// Prepares the peer once, before the first run.
    func prepare(_ workspace: Workspace) throws
    /// Starts the peer, and returns the command that measures it.
    func start(_ run: Run) throws -> Command
}

extension Peer {
    func refusal(of shape: Shape, in scenario: Scenario) -> String? {
        nil
    }

    func prepare(_ workspace: Workspace) throws {}
}

/// A program that a peer needs.
struct Program: Hashable, Sendable {
    let name: String
    /// How to install the program if it is missing.
    let remedy: String

    /// The load generator.
    static let load = Program("load", remedy: "swift build --package-path Benchmarks -c release")

    init(_ name: String, package: String) {
        self.name = name
        self.remedy = "apt-get install --no-install-recommends \(package)"
    }

    init(_ name: String, remedy: String) {
        self.name = name
        self.remedy = remedy
    }
}

/// Something that is measured: how it is started, and which command measures it.
protocol Peer: Sendable {
    var name: String { get }
    /// What it promises when it has answered.
    func promise(in scenario: Scenario) -> String
    var scenarios: Set<Scenario> { get }
    /// The Debian package to install and the program that it brings, in the order of looking.
    var programs: [Program] { get }
    /// Why it cannot take a load of this size; nil when it can.
    func refusal(of shape: Shape, in scenario: Scenario) -> String?
    /// What is done once, before the first run.
    func prepare(_ workspace: Workspace) throws
    /// Starts what is measured, and returns the command that measures it.
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
    /// What to do when it is missing.
    let remedy: String

    init(_ name: String, package: String) {
        self.name = name
        self.remedy = "apt-get install --no-install-recommends \(package)"
    }

    init(_ name: String, remedy: String) {
        self.name = name
        self.remedy = remedy
    }
}

import Foundation
package import TillInvariants

/// Writes and checks the disk states of a plan, one after another.
package struct Sweep: Sendable {
    /// A disk state with findings.
    package struct Failure: Sendable {
        package var item: Plan.Item
        package var findings: [Finding]
        /// The directory that has the state as the loss of power left it.
        package var directory: String
    }

    /// The totals of a sweep.
    package struct Figures: Sendable {
        package var states = 0
        package var places: Set<Int> = []
        /// The number of opened states. A state whose content equals that of a recent one is not opened again.
        package var opened = 0
        package var examined: [Invariant: Int] = [:]
        package var failures: [Failure] = []

        package init() {}

        package mutating func add(_ other: Figures) {
            states += other.states
            places.formUnion(other.places)
            opened += other.opened
            examined.merge(other.examined) { $0 + $1 }
            failures += other.failures
        }
    }

    /// The maximum number of failing states that are kept of one recording.
    private static let keptMaximum = 5

    private let log: OperationLog
    private let answers: Answers
    private let check: StateCheck
    /// The directory in memory in which states are written.
    private let directory: String
    private let kept: String

    package init(log: OperationLog, answers: Answers, check: StateCheck, directory: String, kept: String) {
        self.log = log
        self.answers = answers
        self.check = check
        self.directory = directory
        self.kept = kept
    }

    /// Checks the states, which are in order of their places. Each task calls this once.
    package func run(_ items: some Sequence<Plan.Item>, name: String) async throws -> Figures {
        var figures = Figures()
        var walk = DiskWalk(log)
        var histories: [History] = []
        var openings = RecentOpenings()
        for item in items {
            if figures.states == 0 || item.place != walk.place {
                walk.advance(to: item.place)
                histories = answers.histories(before: item.place)
            }
            let state = walk.state(item.variant)
            let opening = try await openings.opening(of: state) {
                let place = "\(directory)/\(name)"
                try Self.write(state, to: place)
                figures.opened += 1
                return await check.open(place)
            }
            let outcome = check.check(opening, histories: histories)
            figures.states += 1
            figures.places.insert(item.place)
            figures.examined.merge(outcome.examined) { $0 + $1 }
            if !outcome.findings.isEmpty {
                figures.failures.append(try keep(state, item, outcome, number: figures.failures.count))
            }
        }
        try? FileManager.default.removeItem(atPath: "\(directory)/\(name)")
        return figures
    }

    /// Recreates the state in a directory of its own.
    package static func write(_ state: DiskState, to directory: String) throws {
        try? FileManager.default.removeItem(atPath: directory)
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try state.write(to: directory)
    }

    private func keep(
        _ state: DiskState,
        _ item: Plan.Item,
        _ outcome: StateCheck.Outcome,
        number: Int
    ) throws -> Failure {
        let name = "\(kept)/state-\(item.place)-\(item.variant)"
        if number < Self.keptMaximum {
            try Self.write(state, to: name)
        }
        return Failure(item: item, findings: outcome.findings, directory: name)
    }
}

import Foundation

/// A ledger with many transactions. The daemon writes one of each kind; the others are copies.
struct FilledLedger {
    /// Transactions of one kind.
    struct Kind: Sendable {
        static let consumable = "org.example.notes.coins10"
        static let nonConsumable = "org.example.notes.pro"

        let product: String
        /// The last state of the transactions.
        let end: End
        let count: Int

        enum End: String, Sendable {
            /// The transactions wait for approval.
            case added
            case purchased
            case finished
        }
    }

    static let programs = [
        SwiftClientPeer.client, Program("floor", remedy: "swift build --package-path Benchmarks -c release"),
    ]

    /// The state directory of the daemon.
    let state: URL

    /// - Parameter name: A name that no other ledger of the benchmark has.
    init(_ name: String, _ kinds: [Kind], _ workspace: Workspace, _ tilld: Tilld) throws {
        let tilld = try tilld.withoutContent(in: workspace)
        state = workspace.states.appendingPathComponent(name)
        try Self.use(state, workspace, tilld)
        for kind in kinds where kind.count > 0 {
            try Self.use(state, workspace, tilld, holdsCharges: kind.end == .added) {
                try $0.client("buy", ["--product", kind.product, "--end", kind.end.rawValue])
            }
            if kind.count > 1 {
                let arguments = ["copies", file.path, "\(kind.count - 1)"]
                _ = try workspace.processes.output(of: Command(try workspace.tools.required("floor"), arguments))
            }
        }
    }

    private var file: URL {
        state.appendingPathComponent("ledger.sqlite")
    }

    /// The size of the ledger's file, which contains everything while no daemon runs.
    var bytes: Double {
        get throws {
            let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
            return Double(size ?? 0)
        }
    }

    /// Starts a daemon, and stops it after `body`.
    private static func use(
        _ state: URL,
        _ workspace: Workspace,
        _ tilld: Tilld,
        holdsCharges: Bool = false,
        _ body: (TrialRun) throws -> Void = { _ in }
    ) throws {
        let trial = try TrialRun(workspace, tilld)
        defer { trial.end() }
        _ = try trial.serve(state, holdsCharges: holdsCharges)
        try body(trial)
    }
}

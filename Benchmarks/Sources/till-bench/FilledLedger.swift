import Foundation

/// A ledger with many transactions: the daemon writes one of each kind, and the others are copies of it.
struct FilledLedger {
    /// Transactions of one kind.
    struct Kind: Sendable {
        static let consumable = "org.example.notes.coins10"
        static let nonConsumable = "org.example.notes.pro"

        let product: String
        /// How far they got.
        let end: End
        let count: Int

        enum End: String, Sendable {
            /// They wait for approval.
            case added
            case purchased
            case finished
        }
    }

    static let programs = [
        SwiftClientPeer.client, Program("floor", remedy: "swift build --package-path Benchmarks -c release"),
    ]

    /// The daemon's directory.
    let state: URL

    /// - Parameter name: Of no other ledger of the benchmark.
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

    /// The size of its file, which holds everything as long as no daemon runs.
    var bytes: Double {
        get throws {
            let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
            return Double(size ?? 0)
        }
    }

    /// Starts a daemon, and stops it when `body` is done.
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

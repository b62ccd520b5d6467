import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing

/// A state or configuration with which the daemon must refuse to start.
struct Refusal: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var status: Int32
    /// The text that the printed sentence must contain.
    var words: @Sendable (Site) -> String
    /// Creates the state or configuration, and returns additional options.
    var prepare: @Sendable (Site) async throws -> [String]

    init(
        _ name: String,
        status: Int32,
        words: @escaping @Sendable (Site) -> String,
        prepare: @escaping @Sendable (Site) async throws -> [String]
    ) {
        testDescription = name
        self.status = status
        self.words = words
        self.prepare = prepare
    }
}

extension Refusal {
    static let all = configuration + state + ledger + stripe

    private static let configuration = [
        Refusal("a catalogue that is not JSON", status: EX_DATAERR, words: { $0.catalogue }) { site in
            try Data("{ \"products\" : [".utf8).write(to: URL(filePath: site.catalogue))
            return []
        },
        Refusal("a catalogue that is missing", status: EX_DATAERR, words: { $0.catalogue }) { site in
            try FileManager.default.removeItem(atPath: site.catalogue)
            return []
        },
        Refusal("an unknown key", status: EX_CONFIG, words: { _ in "alow-users" }) { site in
            let path = "\(site.directory)/till.json"
            try Data(#"{"alow-users": ["1000"]}"#.utf8).write(to: URL(filePath: path))
            return ["--config", path]
        },
        Refusal("a value out of range", status: EX_CONFIG, words: { _ in "Invalid purchasing-deadline 0: use" }) { _ in
            ["--purchasing-deadline", "0"]
        },
        Refusal("an empty list beside a policy", status: EX_CONFIG, words: { _ in "policy and operators are" }) { _ in
            ["--policy", "policy.json", "--operators", ""]
        },
        Refusal("an invalid product", status: EX_CONFIG, words: { _ in "tilld: Invalid simulated.decline bad id" }) {
            _ in
            ["--simulated-decline", "bad id"]
        },
        Refusal("an option that does not exist", status: EX_USAGE, words: { _ in "--sockets" }) { _ in
            ["--sockets", "x"]
        },
        Refusal(
            "a socket path that is too long for an address",
            status: EX_CANTCREAT,
            words: { _ in "must be at most 103 bytes" }
        ) {
            site in
            ["--socket", "\(site.directory)/\(String(repeating: "x", count: 108))"]
        },
    ]

    private static let state = [
        Refusal("a state directory that other users can read", status: EX_CANTCREAT, words: { "chmod 700 \($0.state)" })
        { site in
            try site.makeState(mode: 0o755)
            return []
        },
        Refusal("a state directory that is a link", status: EX_CANTCREAT, words: { _ in "is not a directory" }) {
            site in
            try site.makeState(mode: 0o700, at: "\(site.directory)/real")
            try FileManager.default.createSymbolicLink(
                atPath: site.state,
                withDestinationPath: "\(site.directory)/real"
            )
            return []
        },
    ]

    private static let ledger = [
        Refusal("a ledger of garbage", status: EX_IOERR, words: { $0.ledger }) { site in
            try await site.makeLedger()
            try Data(repeating: 0x5A, count: 100_000).write(to: URL(filePath: site.ledger))
            return []
        },
        Refusal("an empty ledger", status: EX_IOERR, words: { $0.ledger }) { site in
            try await site.makeLedger()
            try Data().write(to: URL(filePath: site.ledger))
            return []
        },
        Refusal("a ledger with a damaged page", status: EX_IOERR, words: { $0.ledger }) { site in
            // A daemon that stops normally has written everything to the file. After a kill, the next start checks the
            // file.
            try await site.makeLedger()
            await (try await site.startServingDaemon()).killNow()
            let file = try FileHandle(forUpdating: URL(filePath: site.ledger))
            try file.seek(toOffset: 4 * 4096)
            try file.write(contentsOf: Data(repeating: 0x5A, count: 4096))
            try file.close()
            return []
        },
        Refusal("a provider's record of garbage", status: EX_IOERR, words: { _ in "record of charges" }) { site in
            try await site.makeLedger()
            try Data("no charge\n".utf8).write(to: URL(filePath: "\(site.state)/simulated-charges.jsonl"))
            return []
        },
    ]
}

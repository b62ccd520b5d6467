import ArgumentParser
import Foundation
import TTRPC
import TillModel

/// Calls methods at random with identities of other users while they use their queues. It searches everything that it
/// receives for their data.
struct Stranger: AsyncParsableCommand {
    @Option var socket: String
    @Option var application: String
    @Option(help: "Read other users' identities from this growing file.")
    var identities: String
    @Option(help: "Search answers for this text of other users.")
    var canary: String
    @Option(help: "Call this many methods.")
    var calls: Int
    @Option var seed: UInt64

    func run() async throws {
        let random = SharedRandom(seed: seed)
        let canary = Array(canary.utf8)
        var connection = ProbeConnection(client: try await TTRPCClient.connect(path: socket), prints: false)
        await connection.call(.hello(application))
        var summary = Summary()
        while summary.calls < calls {
            let foreign = try newest(random)
            // Before another user has an identity, this uses an identity of its own, which comes back.
            let methods = ProbeMethod.all(foreign: foreign ?? UUID(), observer: UInt32(1 + summary.calls % 1000))
                .filter { $0.method != "Watch" }
            for _ in 0..<32 {
                await connection.call(methods[random.below(methods.count)])
                summary.note(connection.takeReceived(), canary, foreign)
            }
        }
        print("calls", summary.calls)
        print("bytes", summary.bytes)
        print("canaries", summary.canaries)
        print("identities", summary.identities)
    }

    /// Returns one of the last identities in the file.
    private func newest(_ random: SharedRandom) throws -> UUID? {
        let lines = try String(contentsOfFile: identities, encoding: .utf8).split(separator: "\n").suffix(16)
        let chosen = lines.isEmpty ? nil : lines[lines.startIndex + random.below(lines.count)]
        return chosen.flatMap { UUID(uuidString: String($0)) }
    }

    /// The results of the calls.
    private struct Summary {
        var calls = 0
        var bytes = 0
        var canaries = 0
        var identities = 0

        mutating func note(_ received: [UInt8], _ canary: [UInt8], _ foreign: UUID?) {
            calls += 1
            bytes += received.count
            canaries += received.firstRange(of: canary) == nil ? 0 : 1
            identities += foreign.map { received.firstRange(of: $0.bytes) == nil } ?? true ? 0 : 1
        }
    }
}

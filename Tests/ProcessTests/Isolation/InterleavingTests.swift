import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing
import TillClient

/// Strangers call methods at random while a queue is in use. In no order of calls do they receive its data.
///
/// `TILL_INTERLEAVINGS` sets the number of calls. Their order among the owner's calls varies.
@Suite struct InterleavingTests {
    private static let calls =
        ProcessInfo.processInfo.environment["TILL_INTERLEAVINGS"].flatMap { Int($0) } ?? 4000
    private static let seed =
        ProcessInfo.processInfo.environment["TILL_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 1...1_000_000)
    private static let policy = #"""
        {"version": 1, "rules": [
            {"users": [1001], "applications": ["org.example.alpha"]},
            {"users": [1002], "applications": ["*"], "account": "family", "role": "customer"},
            {"groups": [2000], "applications": ["org.example.*"], "role": "customer"}
        ]}
        """#

    @Test(.enabled(if: geteuid() == 0, "only root can act as other users"))
    func strangersReceiveNoDataInAnyOrderOfCalls() async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon(policy: Self.policy)
            let strangers = try start(at: site)
            let bought = try await buy(at: site) { strangers.contains(where: \.isRunning) }
            var sums: [Substring: Int] = [:]
            for (index, stranger) in strangers.enumerated() {
                #expect(await stranger.exit(within: .seconds(3600)) == .status(0))
                for line in try String(contentsOfFile: site.path("stranger-\(index).log"), encoding: .utf8)
                    .split(separator: "\n").map({ $0.split(separator: " ") }) where line.count == 2
                {
                    sums[line[0], default: 0] += Int(line[1]) ?? 0
                }
            }
            print(
                "Seed \(Self.seed): \(sums["calls"] ?? 0) interleavings of \(strangers.count) strangers with",
                "\(bought) purchases; \(sums["bytes"] ?? 0) bytes examined, \(sums["canaries"] ?? -1) canaries,",
                "\(sums["identities"] ?? -1) identities. TILL_SEED=\(Self.seed) repeats the strangers' choices."
            )
            #expect(sums["calls"] ?? 0 >= Self.calls)
            #expect(sums["bytes"] ?? 0 > 0)
            #expect(bought > 0)
            #expect(sums["canaries"] == 0)
            #expect(sums["identities"] == 0)
            daemon.signal(SIGTERM)
            #expect(await daemon.exit() == .status(0))
        }
    }

    private func start(at site: Site) throws -> [ChildProcess] {
        let program = site.path("stranger")
        try FileManager.default.copyItem(atPath: Binaries.worker, toPath: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        try Data().write(to: URL(filePath: site.path("identities")))
        var callers: [(ProbeCaller, String)] = [
            (.user(1001), Site.application), (.user(1002), "org.example.beta"),
            (.user(1004, groups: [2000]), Site.application), (.user(IsolationTests.nobody), Site.application),
        ]
        if ProbeCaller.canSandbox {
            callers.append((.sandboxed(info: "[Application]\nname=org.example.beta\n"), "org.example.beta"))
        }
        return try callers.enumerated().map { index, caller in
            let command = try caller.0.starting(
                [
                    program, "stranger", "--socket", site.socket, "--application", caller.1,
                    "--identities", site.path("identities"), "--canary", Secret.canary,
                    "--calls", "\(Self.calls / callers.count + 1)", "--seed", "\(Self.seed &+ UInt64(index))",
                ],
                at: site
            )
            return try site.start("stranger", command[0], Array(command.dropFirst()), log: "stranger-\(index).log")
        }
    }

    /// Buys and finishes while `continues` returns true; returns the number of purchases.
    private func buy(at site: Site, while continues: () -> Bool) async throws -> Int {
        let queue = site.queue()
        let identities = try FileHandle(forWritingTo: URL(filePath: site.path("identities")))
        var bought = 0
        while continues() {
            let payment = Payment(
                productID: bought % 8 == 0 ? TestStore.pro : TestStore.coins,
                applicationUsername: Secret.canary,
                requestData: bought % 16 == 5 ? Array("\(Secret.canary) \(bought)".utf8) : nil
            )
            let transaction = try await queue.purchase(payment)
            // The identity is written only now, because a stranger that knew it first could take it.
            try identities.write(contentsOf: Data("\(payment.id.uuidString)\n".utf8))
            if bought % 4 != 0 {
                try await queue.finish(transaction)
            }
            bought += 1
        }
        try identities.close()
        await queue.close()
        return bought
    }
}

import Foundation
import Glibc
import ProcessTesting
import TillInvariants
import TillModel

/// The work of a daemon and an application while a system call fails.
package enum IOScenario: String, CaseIterable, Sendable {
    /// A first start on an empty directory.
    case start
    case payments
    case finishesAndRestores
    case downloads
    /// A start after both processes were killed during their work.
    case recovery

    private static let hostedProducts = [TestStore.pro, "org.example.themes", "org.example.fonts", "org.example.gift"]
    private static let contentName = "content.bin"
    private static let contentIdentifier = "all"
    private static let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
    private static let digest = Content.Digest(content)
    private static let templateActs = 24

    var workerOptions: [String] {
        let (mix, acts) =
            switch self {
            case .start: ("payments", 4)
            case .payments: ("payments", 16)
            case .finishesAndRestores: ("finishesAndRestores", 16)
            case .downloads: ("payments", 24)
            case .recovery: ("everything", 12)
            }
        let slow = (TestStore.timeoutBefore + TestStore.slow).flatMap { ["--seldom", $0] }
        return ["--mix", mix, "--acts", "\(acts)", "--pace", "2"] + slow
    }

    func workerOptions(at site: Site) -> [String] {
        workerOptions + contentOptions(at: site)
    }

    private func contentOptions(at site: Site) -> [String] {
        self == .downloads ? ["--content", site.path(Self.contentName)] : []
    }

    /// Whether strace attaches to the daemon only once it serves, and so omits its start.
    func isTracedWhileServing(_ call: String) -> Bool {
        IOFault.whileServing.contains(call) && self != .start || self == .downloads && call == "openat"
    }

    /// The hosted content, by identifier.
    var hosted: [String: Content] {
        guard self == .downloads else {
            return [:]
        }
        return [Self.contentIdentifier: Content(identifier: Self.contentIdentifier, files: ["": Self.digest])]
    }

    /// Writes the catalogue's content if the scenario has any.
    func prepareContent(at site: Site) throws {
        guard self == .downloads else {
            return
        }
        let path = site.path(Self.contentName)
        try Self.content.write(to: URL(filePath: path))
        let content: [String: Any] = [
            "identifier": Self.contentIdentifier, "version": "1.0", "length": Self.digest.length,
            "sha256": Self.digest.hash.hexadecimal,
            "source": "file:\(Self.contentName)",
        ]
        let manifest: [String: Any] = [
            "version": 1, "products": Dictionary(uniqueKeysWithValues: Self.hostedProducts.map { ($0, [content]) }),
        ]
        try JSONSerialization.data(withJSONObject: manifest).write(to: URL(filePath: site.path("store.content.json")))
    }

    /// Creates the state with which the scenario begins, and the history of the application that made it.
    func prepareState(at site: Site, seed: UInt64) async throws {
        guard self != .start else {
            return
        }
        let daemon = try await site.startServingDaemon(CrewPlan.settling)
        let options = [
            "--mix", "everything", "--acts", self == .recovery ? "100000" : "\(Self.templateActs)", "--pace", "2",
        ]
        let worker = try IORun.startWorker(at: site, seed: seed, options + contentOptions(at: site))
        if self == .recovery {
            await Alarm.after(.milliseconds(700))
            try await site.waitUntilServing()
            await worker.killNow()
            await daemon.killNow()
        } else {
            if let unexpected = UnexpectedExit(worker, await worker.exit(), .status(0)) {
                throw unexpected
            }
            daemon.signal(SIGTERM)
            _ = await daemon.exit()
        }
    }
}

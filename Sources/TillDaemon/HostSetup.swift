import Foundation
import Logging
import TillCatalogue
import TillCrypto
import TillEngine
import TillModel
import TillPostgres

/// The daemon's place among the daemons of several hosts that share a ledger.
enum HostSetup {
    /// The longest name of a host, as of a name in the DNS (RFC 1035, section 2.3.4), in bytes.
    static let nameMaximumBytes = 63

    /// Whether the name may be a host's: it is a part of account names, and of messages.
    static func isName(_ name: String) -> Bool {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isPlain && (1...nameMaximumBytes).contains(name.utf8.count)
    }

    /// Refuses the name of a host if the ledger is a file.
    ///
    /// - Throws: ``ConfigurationFault`` that names the key and what to do.
    static func requireNone(_ configuration: DaemonConfiguration) throws(ConfigurationFault) {
        guard configuration.host == nil else {
            throw ConfigurationFault(
                TillError(
                    .invalidArgument,
                    "host is set, but hosts share a ledger in PostgreSQL only: name it with ledger, or leave out host."
                )
            )
        }
    }

    /// Keys whose values differ between hosts: names, addresses, and the users of one machine. So do the paths of files.
    static let keysOfOneHost: Set<String> = [
        "allow-users", "approvers", "console.address", "host", "ledger", "operators", "socket",
        "stripe.webhook-address",
    ]

    /// How the daemon uses its ledger in a database.
    static func use(_ configuration: DaemonConfiguration) throws(TillError) -> LedgerUse {
        guard let name = configuration.host else {
            return .alone
        }
        return .host(
            HostIdentity(
                name: name,
                version: Daemon.version,
                catalogue: try catalogueHash(configuration.catalogueFiles),
                configuration: configurationHash(configuration.texts)
            )
        )
    }

    /// The hash of files in their order, each with its content manifest if it has one.
    static func catalogueHash(_ files: [String]) throws(TillError) -> [UInt8] {
        var hasher = SHA256Hasher()
        for file in files {
            hasher.update(try contents(of: file))
            let manifest = ManifestPath.manifest(of: file)
            if FileManager.default.fileExists(atPath: manifest) {
                hasher.update(try contents(of: manifest))
            }
        }
        return hasher.digest.bytes
    }

    private static func contents(of file: String) throws(TillError) -> [UInt8] {
        do {
            return try [UInt8](Data(contentsOf: URL(filePath: file)))
        } catch {
            throw TillError(.invalidArgument, "\(file): the file cannot be read.", cause: error)
        }
    }

    /// The hash of what hosts should have alike: the configured keys, except those of one host.
    static func configurationHash(_ texts: [String: [String]]) -> [UInt8] {
        var hasher = SHA256Hasher()
        for (name, values) in texts.sorted(by: { $0.key < $1.key }) where !isOfOneHost(name) {
            for value in values {
                hasher.update([UInt8]("\(name)=\(value)\u{0}".utf8))
            }
        }
        return hasher.digest.bytes
    }

    private static func isOfOneHost(_ name: String) -> Bool {
        switch ConfigurationKey[name]?.kind {
        case .file, .files, .directory: true
        case .text, .choice, .integer, .list, nil: keysOfOneHost.contains(name)
        }
    }

    /// Compares this host with the others that use the ledger.
    ///
    /// - Parameter path: The directory of this host's certificates.
    /// - Throws: `failedPrecondition` for another root than the ledger's.
    static func compare(
        _ rootCertificate: [UInt8],
        in path: String,
        _ ledger: any Ledger,
        _ logger: Logger
    ) async throws {
        guard ledger.isShared else {
            return
        }
        try await requireSameRoot(rootCertificate, in: path, ledger)
        try await warnOfDifferences(ledger, logger)
    }

    /// Warns if live hosts differ, so that what a payment costs or how long it waits would depend on its host.
    private static func warnOfDifferences(_ ledger: any Ledger, _ logger: Logger) async throws {
        let hosts = try await ledger.hosts(limit: .max)
        for difference in LedgerHost.differences(of: hosts) {
            logger.warning("Hosts differ", metadata: ["hosts.difference": "\(difference)"])
        }
    }

    /// Makes every host sign with certificates that end in the same root. The first host's root becomes the ledger's.
    private static func requireSameRoot(_ certificate: [UInt8], in path: String, _ ledger: any Ledger) async throws {
        let root = SHA256Digest(of: certificate).bytes.hexadecimal
        let stored = try await ledger.commit { writer in
            let stored = try writer.settings()[StoreControls.receiptRootName]
            if stored == nil {
                try writer.setSetting(StoreControls.receiptRootName, to: root)
            }
            return stored ?? root
        }
        guard stored == root else {
            throw TillError(
                .failedPrecondition,
                """
                The certificates in \(path) end in another root than those of the other hosts: replace the directory with a copy \
                of that of another host.
                """
            )
        }
    }
}

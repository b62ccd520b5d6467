import Foundation
import Glibc

/// A network of this process's own, for hosts that lose their database: one namespace for the database and one for each host,
/// with links that can be cut. It ends with the process, and changes nothing of the machine's network.
package final class TestNetwork: Sendable {
    /// Whether this process may make networks, as root may on most machines, and has Debian's package `iproute2`.
    package static let isPossible = geteuid() == 0 && canMakeNetworks

    static let database = "database"
    static let databaseAddress = "10.77.0.1"

    private let script: CommandedScript
    /// The file of each namespace.
    private let files: [String: String]

    /// Whether a namespace gets what the script `network` makes. Containers often refuse that.
    private static var canMakeNetworks: Bool {
        let trial = Process()
        trial.executableURL = URL(filePath: "/usr/bin/unshare")
        let link = "/usr/sbin/ip link add name uplink type veth peer name to-host"
        trial.arguments = ["--net", "/bin/sh", "-c", "\(link) && /usr/sbin/ip link add name switch type bridge"]
        trial.standardError = FileHandle.nullDevice
        guard (try? trial.run()) != nil else {
            return false
        }
        trial.waitUntilExit()
        return trial.terminationStatus == 0
    }

    /// - Parameter hosts: The names of the namespaces besides the database's: letters and digits, at most 12.
    package init(_ hosts: [String]) throws {
        script = try CommandedScript("network", hosts)
        let pairs = script.introduction.compactMap { line -> (String, String)? in
            let words = line.split(separator: " ")
            return words.count == 2 ? (String(words[0]), "/proc/\(words[1])/ns/net") : nil
        }
        files = Dictionary(uniqueKeysWithValues: pairs)
    }

    /// Loses whatever a host's link should carry, without an error for either side.
    package func cut(_ host: String) throws {
        try script.command("cut \(host)")
    }

    package func heal(_ host: String) throws {
        try script.command("heal \(host)")
    }

    package func end() throws {
        try script.end()
    }

    /// A program and its arguments that replace themselves with a program in a namespace.
    package func wrapper(for name: String) -> [String] {
        ["/usr/bin/nsenter", "--net=\(files[name] ?? "")"]
    }

    /// Lets programs in all hosts' namespaces reach a Unix socket by a port of 127.0.0.1.
    package func relay(port: Int, to socket: String) throws {
        try script.command("relay \(port) \(socket)")
    }
}

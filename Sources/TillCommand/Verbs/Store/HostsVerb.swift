import ArgumentParser
import FoundationEssentials
import TillClient
import TillModel
import TillOutput

struct HostsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "hosts",
        abstract: "List the daemons that share a ledger.",
        discussion: """
            For operators. The list has every daemon that was started with --host and this ledger: whether it uses the ledger \
            now, since when, and the beginnings of the hashes of its catalogue and its configuration. Differences between live \
            hosts are printed on standard error. The daemon that answers is marked with *.

            Example: till hosts
            """
    )

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws {
        try await withOperator(console) { store in
            let hosts = try await store.hosts()
            try console.print(table: hosts.map(HostLine.init), asJSON: common.json)
            let notices = hosts.isEmpty ? ["The daemon does not share its ledger."] : LedgerHost.differences(of: hosts)
            notices.forEach(console.notice)
        }
    }
}

/// A daemon among those that share a ledger.
struct HostLine: TableRow {
    static let headings = ["HOST", "STATE", "SINCE", "COMMITS", "VERSION", "CATALOGUE", "CONFIGURATION"]
    /// The digits of a hash in the table: enough to see a difference.
    private static let shownDigits = 8

    let host: LedgerHost

    var columns: [String] {
        [
            host.name + (host.isAnswering ? " *" : ""), host.isLive ? "live" : "gone", host.openedAt.timestamp,
            "\(host.commits)", host.version.isEmpty ? "-" : host.version, Self.beginning(of: host.catalogueHash),
            Self.beginning(of: host.configurationHash),
        ]
    }

    private static func beginning(of hash: [UInt8]) -> String {
        hash.isEmpty ? "-" : String(hash.hexadecimal.prefix(shownDigits))
    }

    var json: JSONObject {
        [
            "name": host.name,
            "is_live": host.isLive,
            "is_answering": host.isAnswering,
            "opened_at": host.openedAt,
            "commits": host.commits,
            "version": host.version,
            "catalogue_hash": host.catalogueHash.hexadecimal,
            "configuration_hash": host.configurationHash.hexadecimal,
        ]
    }
}

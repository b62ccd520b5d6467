import Foundation

/// The daemon's configuration, as its source and the README have it.
enum ConfigurationTable {
    /// The keys of `ConfigurationKey`.
    static func keys() throws -> [String] {
        try text("Sources/TillDaemon/Configuration/ConfigurationKey.swift").matches(of: /(?m)^    case (\w+)(?: = "([^"]+)")?$/).map {
            String($0.output.2 ?? $0.output.1)
        }
    }

    /// What stands in code font in the first column of the tables under the heading of the configuration.
    static func documentedKeys() throws -> Set<String> {
        let section = try text("README.md").split(separator: /(?m)^#+\s/).filter {
            $0.lowercased().hasPrefix("configur")
        }
        return Set(
            section.flatMap { $0.matches(of: /(?m)^\|([^|]*)\|/) }.flatMap {
                $0.output.1.matches(of: /`-{0,2}([\w.-]+)`/)
            }
            .map { String($0.output.1) }
        )
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    }
}

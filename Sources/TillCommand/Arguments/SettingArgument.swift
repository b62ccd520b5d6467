import ArgumentParser

/// `NAME=VALUE`.
struct SettingArgument: ExpressibleByArgument, Hashable, Sendable {
    let name: String
    let value: String

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let name = parts.first, let value = parts.dropFirst().first, !name.isEmpty, !value.isEmpty else {
            return nil
        }
        self.name = name
        self.value = value
    }
}

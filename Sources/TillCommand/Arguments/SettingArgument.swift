/// `NAME=VALUE`; some settings take an empty value.
struct SettingArgument: ArgumentText, Hashable, Sendable {
    let name: String
    let value: String

    static let rule = "write NAME=VALUE; till settings lists the names and what they take"

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let name = parts.first, let value = parts.dropFirst().first, !name.isEmpty else {
            return nil
        }
        self.name = name
        self.value = value
    }
}

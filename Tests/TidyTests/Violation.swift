/// A place that breaks a rule.
struct Violation: Hashable, Sendable, CustomStringConvertible {
    var path: String
    var line: Int
    var text: String

    var description: String {
        "\(path):\(line): \(text)"
    }
}

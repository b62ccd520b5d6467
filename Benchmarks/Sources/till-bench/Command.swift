/// A program with its arguments.
struct Command: Sendable {
    var program: String
    var arguments: [String]
    /// The user whose rights it gets when this program has root's.
    var user: String?
    /// Set in its environment besides what is set already.
    var environment: [String: String] = [:]

    init(_ program: String, _ arguments: [String] = [], user: String? = nil) {
        self.program = program
        self.arguments = arguments
        self.user = user
    }
}

/// A program with its arguments.
struct Command: Sendable {
    var program: String
    var arguments: [String]
    /// The user that runs the program if this program runs as root.
    var user: String?
    /// Additional environment variables.
    var environment: [String: String] = [:]

    init(_ program: String, _ arguments: [String] = [], user: String? = nil) {
        self.program = program
        self.arguments = arguments
        self.user = user
    }
}

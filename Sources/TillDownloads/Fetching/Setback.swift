/// An attempt ended, and the next may do better.
struct Setback: Error, Hashable, Sendable {
    /// For the log.
    var reason: String
    /// What the server asks for.
    var wait: Duration?

    init(_ reason: String, wait: Duration? = nil) {
        self.reason = reason
        self.wait = wait
    }
}

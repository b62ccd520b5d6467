/// An attempt failed, but a retry may succeed.
struct Setback: Error, Hashable, Sendable {
    /// The reason, for the log.
    var reason: String
    /// The delay that the server requested.
    var wait: Duration?

    init(_ reason: String, wait: Duration? = nil) {
        self.reason = reason
        self.wait = wait
    }
}

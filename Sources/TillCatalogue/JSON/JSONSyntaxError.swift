/// Why a text is not JSON, or not JSON within the limits.
struct JSONSyntaxError: Error, Hashable {
    /// From 1.
    var line: Int
    /// One clause.
    var reason: String
}

/// Why a text is not JSON, or not JSON within the limits.
package struct JSONSyntaxError: Error, Hashable {
    /// From 1.
    package var line: Int
    /// One clause.
    package var reason: String
}

/// The error of a text that is not valid JSON or exceeds the limits.
package struct JSONSyntaxError: Error, Hashable {
    /// The line number, from 1.
    package var line: Int
    /// One clause.
    package var reason: String
}

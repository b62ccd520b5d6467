/// An error of a trace that is malformed, or that shows an operation which the harness does not support. Such a trace
/// proves nothing.
package struct TraceError: Error, Hashable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// Why a trace cannot be read, or shows what this harness cannot follow: nothing is proved then.
package struct TraceError: Error, Hashable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}

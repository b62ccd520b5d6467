/// An error of the harness: a fault could not be caused, or a tool is missing. The run proves nothing.
package struct HarnessFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

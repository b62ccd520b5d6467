/// A fault could not be made, or a tool is not there: the run proves nothing.
package struct HarnessFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

import Foundation

/// Prints lines as they come.
struct Log: Sendable {
    /// What each line begins with, so that the output of two apps can be told apart.
    let name: String?

    func callAsFunction(_ fields: String...) {
        let line = ([name].compactMap(\.self) + fields).joined(separator: "  ") + "\n"
        // Unlike print(_:), this waits in no buffer.
        try? FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
    }
}

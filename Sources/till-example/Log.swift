import Foundation

/// Prints lines without buffering.
struct Log: Sendable {
    /// The prefix of each line, to distinguish the output of two apps.
    let name: String?

    func callAsFunction(_ fields: String...) {
        let line = ([name].compactMap(\.self) + fields).joined(separator: "  ") + "\n"
        // Unlike print(_:), this is not buffered.
        try? FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
    }
}

import FoundationEssentials

/// A file that a verb writes.
struct OutputFile {
    let path: String

    /// Replaces the file as a whole.
    func write(_ bytes: some Sequence<UInt8>) throws(CommandFailure) {
        do {
            try Data(bytes).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw CommandFailure(.outputFailed, "\(path) cannot be written.")
        }
    }
}

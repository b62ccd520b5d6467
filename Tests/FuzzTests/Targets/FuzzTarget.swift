/// A reader of untrusted bytes, which is given arbitrary bytes. A broken promise stops the process, as a trap in the
/// reader does.
@safe package struct FuzzTarget: Sendable {
    /// The target's name, which is also the name of its corpus.
    package let name: String
    private let entry: @Sendable ([UInt8]) -> Void

    init(_ name: String, _ entry: @escaping @Sendable ([UInt8]) -> Void) {
        self.name = name
        self.entry = entry
    }

    /// Reads the bytes.
    package func run(_ bytes: [UInt8]) {
        entry(bytes)
    }

    /// All targets.
    package static let all: [FuzzTarget] = [
        frames, messages, server, client, catalogue, manifest, archive, receipt, certificate, answerHead, charges,
        settings, notes, webhook, console, backup,
    ]
}

/// Stops the process if a promise for all bytes does not hold for these.
func promise(_ holds: Bool, _ sentence: @autoclosure () -> String) {
    guard holds else { fatalError("broken promise: \(sentence())") }
}

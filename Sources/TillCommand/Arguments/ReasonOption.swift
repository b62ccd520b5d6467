import ArgumentParser

/// Why somebody does what changes the store or a purchase.
struct ReasonOption: ParsableArguments {
    /// The longest reason, in bytes of UTF-8.
    static let bytesMaximum = 256
    /// What the audit log has when nobody said why.
    static let absent = "none given"

    @Option(
        name: .customLong("reason"),
        help: ArgumentHelp("Why, in 1 to \(bytesMaximum) bytes; it is kept with what was done.", valueName: "text")
    )
    var text: String?

    func validate() throws {
        guard let text else {
            return
        }
        guard (1...Self.bytesMaximum).contains(text.utf8.count) else {
            throw ValidationError("--reason takes 1 to \(Self.bytesMaximum) bytes of text.")
        }
    }

    /// For the audit log, which has no entry without one.
    var recorded: String {
        text ?? Self.absent
    }
}

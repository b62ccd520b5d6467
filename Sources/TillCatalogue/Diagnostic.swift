/// An error or a warning about a catalogue file.
package struct Diagnostic: Hashable, Sendable {
    package enum Severity: String, Hashable, Sendable {
        /// The file is refused.
        case error
        /// The file is accepted; the value in the message was ignored or replaced.
        case warning
    }

    package var severity: Severity
    /// The path or name of the file.
    package var file: String
    /// The affected product, if it has an identifier.
    package var product: String?
    /// One clause without a full stop. Text from the file is escaped and truncated for logging.
    package var message: String

    package init(_ severity: Severity, file: String, product: String? = nil, _ message: String) {
        self.severity = severity
        self.file = file
        self.product = product
        self.message = message
    }

    /// The file, the product and the message in one line.
    package var summary: String {
        [file, product, message].compactMap(\.self).joined(separator: ": ")
    }
}

extension Diagnostic: CustomStringConvertible {
    package var description: String {
        "\(severity): \(summary)"
    }
}

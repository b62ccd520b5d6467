/// One thing that is wrong with a catalogue file, or worth a look.
package struct Diagnostic: Hashable, Sendable {
    package enum Severity: String, Hashable, Sendable {
        /// The file is refused.
        case error
        /// The file is read; what the message says was ignored or replaced.
        case warning
    }

    package var severity: Severity
    /// The path or name the file was read by.
    package var file: String
    /// The product concerned, when it is one that has an identifier.
    package var product: String?
    /// One clause without a full stop. Text from the file is escaped in it and cut to a length fit for a log.
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

package import Logging
import TillModel

/// Writes each log record as one line of printable text, even if a client's text contains other characters.
///
/// The handler escapes control characters, line ends and changes of text direction, and truncates long values, so that no
/// client can forge a line of the log.
package struct PlainLogHandler: LogHandler {
    /// The maximum length of a text in a record, in Unicode scalars.
    package static let textMaximum = 1024

    private var inner: any LogHandler

    package init(_ inner: any LogHandler) {
        self.inner = inner
    }

    package var logLevel: Logger.Level {
        get { inner.logLevel }
        set { inner.logLevel = newValue }
    }

    package var metadata: Logger.Metadata {
        get { inner.metadata }
        set { inner.metadata = newValue }
    }

    package var metadataProvider: Logger.MetadataProvider? {
        get { inner.metadataProvider }
        set { inner.metadataProvider = newValue }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { inner[metadataKey: key] }
        set { inner[metadataKey: key] = newValue }
    }

    package func log(event: LogEvent) {
        var event = event
        event.message = "\(Self.plain(event.message.description))"
        event.metadata = event.metadata?.mapValues(Self.plain)
        inner.log(event: event)
    }

    private static func plain(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
        switch value {
        case .string(let text): .string(plain(text))
        case .stringConvertible(let value): .string(plain(value.description))
        case .array(let values): .array(values.map(plain))
        case .dictionary(let values): .dictionary(values.mapValues(plain))
        @unknown default: .string("?")
        }
    }

    private static func plain(_ text: String) -> String {
        let head = text.unicodeScalars.prefix(textMaximum)
        let escaped = head.map { $0.isPlain ? String($0) : $0.escaped(asASCII: true) }.joined()
        return head.count < text.unicodeScalars.count ? escaped + "…" : escaped
    }
}

import FoundationEssentials
import Glibc
package import Logging
import TillOutput

/// How the lines of the log look.
package enum LogFormat: String, Sendable, CaseIterable {
    /// For people: the time, the level, the metadata, the message.
    case text
    /// For programs: one JSON object a line.
    case json
}

/// Writes log records as lines to the standard error.
///
/// Where that is systemd's journal, each line begins with its priority (sd-daemon(3)), so that `journalctl -p warning`
/// works, and text has neither time nor level, which the journal has itself.
package struct LineLogHandler: LogHandler {
    package var logLevel = Logger.Level.info
    package var metadata = Logger.Metadata()
    package var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let format: LogFormat
    private let isJournal: Bool
    private let now: @Sendable () -> Date
    private let write: @Sendable (String) -> Void

    init(
        label: String,
        format: LogFormat,
        isJournal: Bool,
        now: @escaping @Sendable () -> Date,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.label = label
        self.format = format
        self.isJournal = isJournal
        self.now = now
        self.write = write
    }

    /// - Parameter environment: The process's, in which systemd says whether the standard error is the journal.
    package init(label: String, format: LogFormat, environment: [String: String]) {
        self.init(label: label, format: format, isJournal: Self.isJournal(environment), now: Date.init) { line in
            // There is nowhere to report that the log cannot be written.
            try? StandardOutput.write(line, to: STDERR_FILENO)
        }
    }

    /// systemd.exec(5): `JOURNAL_STREAM` has the device and the inode of the journal's socket. A process whose standard
    /// error was redirected inherits the variable too.
    static func isJournal(_ environment: [String: String], descriptor: CInt = STDERR_FILENO) -> Bool {
        var status = stat()
        guard let stream = environment["JOURNAL_STREAM"], unsafe fstat(descriptor, &status) == 0 else {
            return false
        }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let provided = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }
        let all = provided.merging(event.metadata ?? [:]) { $1 }
        let priority = isJournal ? "<\(event.level.priority)>" : ""
        write("\(priority)\(line(event, all.sorted { $0.key < $1.key }))")
    }

    private func line(_ event: LogEvent, _ metadata: [(key: String, value: Logger.Metadata.Value)]) -> String {
        switch format {
        case .json: return json(event, metadata)
        case .text:
            let values = metadata.map { " \($0.key)=\(Self.quoted("\($0.value)"))" }.joined()
            let head = isJournal ? "" : "\(now().timestamp) \(event.level) \(label): "
            return "\(head)\(event.message)\(values)"
        }
    }

    /// A value with spaces in quotation marks, so that it is seen where it ends.
    private static func quoted(_ value: String) -> String {
        value.contains(" ") ? "\"\(value.replacing("\"", with: "\\\""))\"" : value
    }

    private func json(_ event: LogEvent, _ metadata: [(key: String, value: Logger.Metadata.Value)]) -> String {
        let record: JSONObject = [
            "time": now(),
            "level": event.level.rawValue,
            "logger": label,
            "message": event.message.description,
            "metadata": metadata.isEmpty ? nil : JSONObject(metadata.map { ($0.key, $0.value.json) }),
        ]
        return (try? record.text()) ?? "{}"
    }
}

extension Logger.Level {
    /// The priority of syslog(3).
    var priority: Int {
        switch self {
        case .critical: 2
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug, .trace: 7
        }
    }
}

extension Logger.MetadataValue {
    fileprivate var json: JSONValue {
        switch self {
        case .string(let text): .string(text)
        case .stringConvertible(let value): .string(value.description)
        case .array(let values): .array(values.map(\.json))
        case .dictionary(let values): .object(JSONObject(values.map { ($0.key, $0.value.json) }))
        @unknown default: .string("?")
        }
    }
}

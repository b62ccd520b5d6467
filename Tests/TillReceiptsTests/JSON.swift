import Foundation
import FoundationEssentials
import Logging
import NIOConcurrencyHelpers
import TillEngine
import TillModel

/// A JSON value that tests can write as a literal.
enum JSON: Codable, Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case bool(Bool)
    case array([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }

    static func milliseconds(_ date: Date) -> JSON {
        .integer(date.millisecondsSince1970)
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    init(stringLiteral value: String) {
        self = .string(value)
    }

    init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}

extension SignedReceipt {
    /// The payload's JSON.
    var payloadText: String {
        String(decoding: Base64URL.decode(body.utf8.prefix { $0 != UInt8(ascii: ".") }) ?? [], as: UTF8.self)
    }

    /// The payload's members.
    func members() throws -> [String: JSON] {
        try JSONDecoder().decode([String: JSON].self, from: Data(payloadText.utf8))
    }

    /// What the body begins with if the payload is the JSON of the members, sorted and without whitespace.
    func canonicalStart() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let letters = try encoder.encode(members()).base64EncodedString()
        return letters.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "") + "."
    }

    func headerMembers() throws -> [String: JSON] {
        try JSONDecoder().decode([String: JSON].self, from: Data(Base64URL.decode(header.utf8) ?? []))
    }
}

/// A logger that counts its lines.
struct LogLines {
    private let levels = NIOLockedValueBox<[Logger.Level]>([])

    var logger: Logger {
        Logger(label: "test") { _ in Handler(levels: levels) }
    }

    func count(_ level: Logger.Level) -> Int {
        levels.withLockedValue { levels in levels.count { $0 == level } }
    }

    private struct Handler: LogHandler {
        let levels: NIOLockedValueBox<[Logger.Level]>
        var metadata = Logger.Metadata()
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            levels.withLockedValue { $0.append(event.level) }
        }
    }
}

/// Runs `body` with a directory that is deleted afterwards.
func inTemporaryDirectory<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let url = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    return try await body(url.path)
}

import FoundationEssentials
import Testing
import TillWire

@Suite struct CompletenessTests {
    static let files = [
        "till/v1/transaction.proto", "till/v1/payment_queue.proto", "till/v1/products.proto",
        "till/v1/entitlement.proto", "till/v1/authorization.proto", "till/v1/operator.proto",
        "till/v1/downloads.proto", "till/v1/receipts.proto", "till/v1/payment_methods.proto",
        "grpc/health/v1/health.proto",
    ]
    /// Messages that only events contain; the golden events have one of each.
    static let partsOfEvent: Set = [
        "RestoreFinished", "RestoreFailed", "InitialDeliveryStarted", "InitialDeliveryEnded", "AuthorizationWithdrawn",
    ]

    @Test(arguments: files)
    func everyMessageHasGoldenBytes(_ file: String) throws {
        let golden = Set(GoldenTests.all.map(\.message)).union(Self.partsOfEvent)
        let messages = try ProtoFiles.messages(in: file)
        #expect(!messages.isEmpty)
        #expect(messages.filter { !golden.contains($0) } == [])
    }

    /// Only text that is marked in the generated C is checked for UTF-8 and U+0000, wherever it goes afterwards.
    @Test(arguments: files)
    func everyTextIsChecked(_ file: String) throws {
        let texts = try ProtoFiles.text(of: file).matches(of: /(?m)^\s*(repeated )?string \w+ =/)
        let marks = try ProtoFiles.generatedText(of: file).matches(of: /FLAG_DEPRECATED.*\/\* flags/)
        #expect(marks.count == texts.count)
    }
}

/// The declarations of the public .proto files.
enum ProtoFiles {
    /// The names of all top-level messages of a file.
    static func messages(in file: String) throws -> [String] {
        try text(of: file).matches(of: /(?m)^message (\w+)/).map { String($0.output.1) }
    }

    static func text(of file: String) throws -> String {
        try text(at: "Proto/\(file)")
    }

    /// The C that is generated of the file.
    static func generatedText(of file: String) throws -> String {
        try text(at: "Sources/CTillMessages/\(file.dropLast("proto".count))pb-c.c")
    }

    private static func text(at path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }
}

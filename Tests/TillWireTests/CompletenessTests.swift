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
}

/// The declarations of the public .proto files.
enum ProtoFiles {
    /// The names of all top-level messages of a file.
    static func messages(in file: String) throws -> [String] {
        try text(of: file).matches(of: /(?m)^message (\w+)/).map { String($0.output.1) }
    }

    private static func text(of file: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return String(decoding: try Data(contentsOf: root.appending(path: "Proto/\(file)")), as: UTF8.self)
    }
}

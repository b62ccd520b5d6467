import TillWire
import Testing

@Suite struct CompletenessTests {
    static let files = [
        "till/v1/transaction.proto", "till/v1/payment_queue.proto", "till/v1/products.proto",
        "till/v1/entitlement.proto", "till/v1/authorization.proto", "till/v1/operator.proto",
        "till/v1/downloads.proto", "till/v1/receipts.proto", "grpc/health/v1/health.proto",
    ]
    /// Messages that travel in an event and have no value of their own; the golden events have one of each.
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

    @Test func methodsAreNamedAsInTheProtoFiles() throws {
        let queue = try #require(try ProtoFiles.service(in: "till/v1/payment_queue.proto"))
        #expect(queue.name == PaymentQueueMethod.service)
        #expect(queue.methods == PaymentQueueMethod.allCases.map(\.rawValue))
        let products = try #require(try ProtoFiles.service(in: "till/v1/products.proto"))
        #expect(products.name == ProductsMethod.service)
        #expect(products.methods == ProductsMethod.allCases.map(\.rawValue))
        let authorization = try #require(try ProtoFiles.service(in: "till/v1/authorization.proto"))
        #expect(authorization.name == AuthorizationMethod.service)
        #expect(authorization.methods == AuthorizationMethod.allCases.map(\.rawValue))
        let operators = try #require(try ProtoFiles.service(in: "till/v1/operator.proto"))
        #expect(operators.name == OperatorMethod.service)
        #expect(operators.methods == OperatorMethod.allCases.map(\.rawValue))
        let downloads = try #require(try ProtoFiles.service(in: "till/v1/downloads.proto"))
        #expect(downloads.name == DownloadsMethod.service)
        #expect(downloads.methods == DownloadsMethod.allCases.map(\.rawValue))
        let receipts = try #require(try ProtoFiles.service(in: "till/v1/receipts.proto"))
        #expect(receipts.name == ReceiptsMethod.service)
        #expect(receipts.methods == ReceiptsMethod.allCases.map(\.rawValue))
        let health = try #require(try ProtoFiles.service(in: "grpc/health/v1/health.proto"))
        #expect(health.name == HealthMethod.service)
        #expect(health.methods == HealthMethod.allCases.map(\.rawValue))
    }
}

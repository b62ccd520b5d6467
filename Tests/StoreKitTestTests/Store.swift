import Foundation
import StoreKitTest
import Testing
import TillClient
import TillModel

/// The products of the tests' configuration file, and sessions that the process's queue does not follow.
enum Store {
    static let coins = "org.example.notes.coins10"
    static let pro = "org.example.notes.pro"
    static let season = "org.example.notes.archive.season"
    static let monthly = "org.example.notes.sync.monthly"
    static let yearly = "org.example.notes.sync.yearly"
    static let day: TimeInterval = 86400

    static func file() throws -> URL {
        try #require(Bundle.module.url(forResource: "Notes", withExtension: "storekit", subdirectory: "Fixtures"))
    }

    static func session(
        contentsOf file: URL? = nil,
        application: String = "org.example.notes"
    ) throws -> SKTestSession {
        try SKTestSession(contentsOf: try file ?? self.file(), application: application, isFollowed: false)
    }
}

extension SKTestSession {
    /// A new client of the session, with long timeouts because other tests may occupy its thread.
    var queue: PaymentQueue {
        PaymentQueue(patientClient)
    }

    var patientClient: ClientConfiguration {
        var configuration = client
        configuration.callTimeout = .seconds(600)
        configuration.restoreTimeout = .seconds(600)
        return configuration
    }

    /// The newest transaction.
    func last() throws -> SKTestTransaction {
        try #require(allTransactions().last)
    }

    /// Buys outside all clients.
    func bought(_ product: String) throws -> SKTestTransaction {
        try buyProduct(productIdentifier: product)
        return try last()
    }

    /// The products and states of all transactions, for example `pro purchased`.
    var summary: [String] {
        allTransactions().map { transaction in
            let product = transaction.productIdentifier.split(separator: ".").last ?? ""
            return "\(product) \(transaction.state.name)"
        }
    }
}

extension SKPaymentTransactionState {
    var name: String {
        ["purchasing", "purchased", "failed", "restored", "deferred"][rawValue]
    }
}

/// Expects `body` to throw this session error.
func expect(_ code: SKTestError.Code, _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Void) {
    let error = #expect(throws: SKTestError.self, sourceLocation: location) { try body() }
    #expect(error?.code == code, sourceLocation: location)
}

import Logging
import TTRPC
import TillClient
import TillModel

/// The example of the README and of TillClient's landing page.
func buy(grant: (Transaction) -> Void) async throws {
    let queue = PaymentQueue(application: "org.example.notes")
    try await queue.add(Payment(productID: "org.example.notes.coins10", quantity: 2))
    for try await change in queue.changes {
        guard case .updated(let transactions) = change else { continue }
        for transaction in transactions where transaction.state == .purchased {
            grant(transaction)  // Once for each transaction.id.
            try await queue.finish(transaction)
        }
    }
}

/// The example of downloads on TillClient's landing page.
func download(from queue: PaymentQueue, install: (String?) -> Void) async throws {
    for try await change in queue.changes {
        switch change {
        case .updated(let transactions):
            for transaction in transactions where !transaction.downloads.isEmpty {
                try await queue.start(transaction.downloads)
            }
        case .downloadsUpdated(let downloads):
            for download in downloads where download.state == .finished {
                install(download.contentPath)  // A file, or the directory of an unpacked archive.
            }
        default: break
        }
    }
}

/// The example of TillModel's landing page.
func handle(_ transaction: Transaction, grant: (Transaction) -> Void, offerAgain: (String) -> Void) {
    switch transaction.state {
    case .purchasing, .deferred:
        print("\(transaction.payment.productID) is not decided yet")
    case .purchased, .restored:
        grant(transaction)  // Once for each transaction.id.
    case .failed:
        if let error = transaction.error, error.moneyMoved == .no, error.retry == .safe {
            offerAgain(transaction.payment.productID)
        }
    }
}

/// The example of TTRPC's landing page.
func echo(listening descriptor: CInt, at path: String) async throws {
    let server = TTRPCServer(logger: Logger(label: "echo")) { peer in
        var methods = MethodTable()
        methods["example.Echo", "Echo"] = .unary { _, request in request }
        return methods
    }
    async let serving: Void = server.run(listening: descriptor)
    let client = try await TTRPCClient.connect(path: path)
    let reply = try await client.unary("example.Echo", "Echo", Array("hello".utf8))
    print(String(decoding: reply, as: UTF8.self))
    server.shutDown()
    try await serving
}

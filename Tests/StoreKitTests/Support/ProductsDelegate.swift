import Foundation
import NIOConcurrencyHelpers
import StoreKit

/// Records the callbacks of requests in short form: `received coins, pro`, `invalid x`, `finished`, `failed`.
// A lock protects all mutable state.
final class ProductsDelegate: NSObject, SKProductsRequestDelegate, @unchecked Sendable {
    private let record = Log()
    private let onReceive: (SKProductsRequest) -> Void
    private let state = NIOLockedValueBox<(requests: [SKRequest], products: [SKProduct], errors: [any Error])>(
        ([], [], [])
    )

    init(onReceive: @escaping (SKProductsRequest) -> Void = { _ in }) {
        self.onReceive = onReceive
    }

    var calls: [String] { record.lines }
    var requests: [SKRequest] { state.withLockedValue { $0.requests } }
    var products: [SKProduct] { state.withLockedValue { $0.products } }
    var errors: [any Error] { state.withLockedValue { $0.errors } }

    func saw(_ call: String) async {
        await record.until { $0.contains(call) }
    }

    /// Waits for the ends of the given number of requests.
    func ended(_ count: Int) async {
        await record.until { $0.filter { $0 == "finished" || $0 == "failed" }.count >= count }
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        onReceive(request)
        state.withLockedValue {
            $0.requests.append(request)
            $0.products += response.products
        }
        record.append("received \(response.products.map(\.productIdentifier).sorted().joined(separator: ", "))")
        if !response.invalidProductIdentifiers.isEmpty {
            record.append("invalid \(response.invalidProductIdentifiers.sorted().joined(separator: ", "))")
        }
    }

    func requestDidFinish(_ request: SKRequest) {
        state.withLockedValue { $0.requests.append(request) }
        record.append("finished")
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        state.withLockedValue {
            $0.requests.append(request)
            $0.errors.append(error)
        }
        record.append("failed")
    }
}

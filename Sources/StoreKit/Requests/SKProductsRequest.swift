import Foundation
import TillClient
import TillModel

/// Asks for products by their identifiers (https://developer.apple.com/documentation/storekit/skproductsrequest).
///
/// Without identifiers the answer is empty. When the daemon cannot be reached in time the request fails with a
/// `URLError`.
open class SKProductsRequest: SKRequest {
    private let productIdentifiers: Set<String>

    /// A request for no products.
    public override init() {
        productIdentifiers = []
        super.init()
    }

    /// A request for products
    /// (https://developer.apple.com/documentation/storekit/skproductsrequest/init(productidentifiers:)).
    public init(productIdentifiers: Set<String>) {
        self.productIdentifiers = productIdentifiers
        super.init()
    }

    /// Who gets the answer; held weakly. The same as ``SKRequest``'s
    /// (https://developer.apple.com/documentation/storekit/skproductsrequest/delegate).
    open var delegate: (any SKProductsRequestDelegate)? {
        get { life.delegate as? any SKProductsRequestDelegate }
        set { life.delegate = newValue }
    }

    open override func start() {
        let (identifiers, connection) = (productIdentifiers, SKPaymentQueue.current.connection)
        life.begin(self) { life in
            await Self.answer(identifiers, from: connection, to: life)
        }
    }

    private static func answer(_ ids: Set<String>, from connection: StoreConnection?, to life: RequestLife) async {
        guard let connection else {
            return
        }
        do throws(TillError) {
            let (valid, malformed) = (ids.filter(Identifier.isValid), ids.filter { !Identifier.isValid($0) })
            let link = connection.link
            let answer = try await link.askWhileBusy { () async throws(TillError) in
                try await link.client.products(valid.sorted())
            }
            let response = SKProductsResponse(
                products: answer.products.map { SKProduct($0) },
                invalidProductIdentifiers: (Array(malformed) + answer.invalid.keys).sorted()
            )
            await connection.deliver { Self.tell(response, life) }
        } catch {
            await connection.deliver { life.fail(error.asStoreKit) }
        }
    }

    private static func tell(_ response: SKProductsResponse, _ life: RequestLife) {
        if let request = life.request as? SKProductsRequest,
            let delegate = life.delegate as? any SKProductsRequestDelegate
        {
            delegate.productsRequest(request, didReceive: response)
        }
        life.end { $1?.requestDidFinish($0) }
    }
}

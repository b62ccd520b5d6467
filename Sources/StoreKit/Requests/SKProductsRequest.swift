public import Foundation
import TillClient
import TillModel

/// Requests products by their identifiers (https://developer.apple.com/documentation/storekit/skproductsrequest).
///
/// Without identifiers the answer is empty. If the daemon cannot be reached in time, the request fails with a
/// `URLError`.
open class SKProductsRequest: SKRequest {
    private let productIdentifiers: Set<String>

    /// Creates a request for no products.
    public override init() {
        productIdentifiers = []
        super.init()
    }

    /// Creates a request for products
    /// (https://developer.apple.com/documentation/storekit/skproductsrequest/init(productidentifiers:)).
    public init(productIdentifiers: Set<String>) {
        self.productIdentifiers = productIdentifiers
        super.init()
    }

    /// The delegate that receives the answer; held weakly. It is the same as ``SKRequest``'s
    /// (https://developer.apple.com/documentation/storekit/skproductsrequest/delegate).
    open var delegate: (any SKProductsRequestDelegate)? {
        get { lifecycle.delegate as? any SKProductsRequestDelegate }
        set { lifecycle.delegate = newValue }
    }

    open override func start() {
        let (identifiers, connection) = (productIdentifiers, SKPaymentQueue.current.connection)
        lifecycle.begin(self) { lifecycle in
            await Self.answer(identifiers, from: connection, to: lifecycle)
        }
    }

    private static func answer(_ ids: Set<String>, from connection: StoreConnection?, to lifecycle: RequestLifecycle)
        async
    {
        guard let connection else {
            return
        }
        do throws(TillError) {
            let (valid, malformed) = (ids.filter(Identifier.isValid), ids.filter { !Identifier.isValid($0) })
            let daemonConnection = connection.daemonConnection
            let answer = try await daemonConnection.askWhileBusy { () async throws(TillError) in
                try await daemonConnection.client.products(valid.sorted())
            }
            let response = SKProductsResponse(
                products: answer.products.map { SKProduct($0) },
                invalidProductIdentifiers: (Array(malformed) + answer.invalid.keys).sorted()
            )
            await connection.deliver { Self.tell(response, lifecycle) }
        } catch {
            await connection.deliver { lifecycle.fail(error.asStoreKit) }
        }
    }

    private static func tell(_ response: SKProductsResponse, _ lifecycle: RequestLifecycle) {
        if let request = lifecycle.request as? SKProductsRequest,
            let delegate = lifecycle.delegate as? any SKProductsRequestDelegate
        {
            delegate.productsRequest(request, didReceive: response)
        }
        lifecycle.end { $1?.requestDidFinish($0) }
    }
}

/// Receives the answer of a product request
/// (https://developer.apple.com/documentation/storekit/skproductsrequestdelegate).
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    /// The answer has arrived; called immediately before `requestDidFinish(_:)`
    /// (https://developer.apple.com/documentation/storekit/skproductsrequestdelegate/productsrequest(_:didreceive:)).
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}

/// The answer to a product request (https://developer.apple.com/documentation/storekit/skproductsresponse).
// Its stored properties are constants of Sendable types.
open class SKProductsResponse: NSObject, @unchecked Sendable {
    private let fields: (products: [SKProduct], invalid: [String])

    /// Creates an answer without products.
    public override init() {
        fields = ([], [])
        super.init()
    }

    init(products: [SKProduct], invalidProductIdentifiers: [String]) {
        fields = (products, invalidProductIdentifiers)
        super.init()
    }

    /// The products, in no particular order
    /// (https://developer.apple.com/documentation/storekit/skproductsresponse/products).
    open var products: [SKProduct] { fields.products }

    /// The identifiers of products that the store does not sell
    /// (https://developer.apple.com/documentation/storekit/skproductsresponse/invalidproductidentifiers).
    open var invalidProductIdentifiers: [String] { fields.invalid }
}

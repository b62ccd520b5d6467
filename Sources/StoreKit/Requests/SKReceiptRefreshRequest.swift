import Foundation
import TillClient
import TillModel

/// Requests the application's current receipt from the store
/// (https://developer.apple.com/documentation/storekit/skreceiptrefreshrequest).
///
/// It replaces the file at ``SKPaymentQueue/receiptURL`` and finishes, or fails with a `URLError` if the daemon cannot
/// be reached. It creates no transactions.
open class SKReceiptRefreshRequest: SKRequest {
    private let properties: [String: Any]?

    /// Creates a request without properties.
    public override init() {
        properties = nil
        super.init()
    }

    /// Creates a request for a receipt with properties for tests, which have no effect here
    /// (https://developer.apple.com/documentation/storekit/skreceiptrefreshrequest/init(receiptproperties:)).
    public init(receiptProperties properties: [String: Any]?) {
        self.properties = properties
        super.init()
    }

    /// The properties from the initialiser
    /// (https://developer.apple.com/documentation/storekit/skreceiptrefreshrequest/receiptproperties).
    open var receiptProperties: [String: Any]? { properties }

    open override func start() {
        let connection = SKPaymentQueue.current.connection
        lifecycle.begin(self) { lifecycle in
            guard let connection else {
                return
            }
            do throws(TillError) {
                let daemonConnection = connection.daemonConnection
                try await daemonConnection.askWhileBusy { () async throws(TillError) in
                    try await daemonConnection.refreshReceipt()
                }
                await connection.deliver { lifecycle.end { $1?.requestDidFinish($0) } }
            } catch {
                await connection.deliver { lifecycle.fail(error.asStoreKit) }
            }
        }
    }
}

/// Requests an expired receipt (https://developer.apple.com/documentation/storekit/skreceiptpropertyisexpired).
public let SKReceiptPropertyIsExpired = "expired"

/// Requests a revoked receipt (https://developer.apple.com/documentation/storekit/skreceiptpropertyisrevoked).
public let SKReceiptPropertyIsRevoked = "revoked"

/// Requests a receipt of a volume purchase
/// (https://developer.apple.com/documentation/storekit/skreceiptpropertyisvolumepurchase).
public let SKReceiptPropertyIsVolumePurchase = "vpp"

/// Exits with status 173, which means that there is no valid receipt
/// (https://developer.apple.com/documentation/storekit/skterminateforinvalidreceipt()).
public func SKTerminateForInvalidReceipt() {
    exit(173)
}

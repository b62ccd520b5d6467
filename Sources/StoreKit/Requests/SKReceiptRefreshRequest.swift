import Foundation
import TillClient
import TillModel

/// Asks the store again for what the account owns
/// (https://developer.apple.com/documentation/storekit/skreceiptrefreshrequest).
///
/// There is no receipt file yet. The request reads the account's entitlements from the daemon and finishes, or fails with
/// a `URLError` when the daemon cannot be reached. It makes no transactions.
open class SKReceiptRefreshRequest: SKRequest {
    private let properties: [String: Any]?

    /// A request without properties.
    public override init() {
        properties = nil
        super.init()
    }

    /// A request for a receipt with properties, for tests; they have no effect here
    /// (https://developer.apple.com/documentation/storekit/skreceiptrefreshrequest/init(receiptproperties:)).
    public init(receiptProperties properties: [String: Any]?) {
        self.properties = properties
        super.init()
    }

    /// As given (https://developer.apple.com/documentation/storekit/skreceiptrefreshrequest/receiptproperties).
    open var receiptProperties: [String: Any]? { properties }

    open override func start() {
        let connection = SKPaymentQueue.current.connection
        life.begin(self) { life in
            guard let connection else {
                return
            }
            do throws(TillError) {
                for try await _ in connection.link.client.entitlements {}
                await connection.deliver { life.end { $1?.requestDidFinish($0) } }
            } catch {
                await connection.deliver { life.fail(error.asStoreKit) }
            }
        }
    }
}

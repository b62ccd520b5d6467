import Foundation
import TillClient
import TillModel

/// Asks the store for the application's receipt as it is now
/// (https://developer.apple.com/documentation/storekit/skreceiptrefreshrequest).
///
/// It replaces the file at ``SKPaymentQueue/receiptURL`` and finishes, or fails with a `URLError` when the daemon cannot be
/// reached. It makes no transactions.
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
                let link = connection.link
                try await link.askWhileBusy { () async throws(TillError) in try await link.refreshReceipt() }
                await connection.deliver { life.end { $1?.requestDidFinish($0) } }
            } catch {
                await connection.deliver { life.fail(error.asStoreKit) }
            }
        }
    }
}

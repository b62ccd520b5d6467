import TillModel

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

import TillModel

extension TransactionRecord {
    /// Whether the application's receipt holds it. Apple's keeps a consumable until it is finished, and everything else
    /// for good, without what was only restored
    /// (https://developer.apple.com/documentation/storekit/in-app-purchase/original-api-for-in-app-purchase/validating-receipts-with-the-app-store).
    var belongsInApplicationReceipt: Bool {
        state == .purchased && (finishedAt == nil || productType != .consumable && original == nil || term != nil)
    }
}

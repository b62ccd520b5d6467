import StoreKit

/// Names of an application's own, which StoreKit's first version leaves free.
public struct Product {
    public let identifier: String
    public let price: String
}

public struct Transaction {
    public let identifier: String?
    public let productIdentifier: String
}

public enum PurchaseResult {
    case purchased(Transaction)
    case deferred
    case cancelled
    case failed(Error)
}

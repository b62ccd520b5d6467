import StoreKit

/// An application's own types, whose names StoreKit 1 does not use.
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

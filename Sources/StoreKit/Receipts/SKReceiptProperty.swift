/// Requests an expired receipt (https://developer.apple.com/documentation/storekit/skreceiptpropertyisexpired).
public let SKReceiptPropertyIsExpired = "expired"

/// Requests a revoked receipt (https://developer.apple.com/documentation/storekit/skreceiptpropertyisrevoked).
public let SKReceiptPropertyIsRevoked = "revoked"

/// Requests a receipt of a volume purchase
/// (https://developer.apple.com/documentation/storekit/skreceiptpropertyisvolumepurchase).
public let SKReceiptPropertyIsVolumePurchase = "vpp"

/// Asks for a receipt that has expired (https://developer.apple.com/documentation/storekit/skreceiptpropertyisexpired).
public let SKReceiptPropertyIsExpired = "expired"

/// Asks for a receipt that was revoked (https://developer.apple.com/documentation/storekit/skreceiptpropertyisrevoked).
public let SKReceiptPropertyIsRevoked = "revoked"

/// Asks for a receipt of a volume purchase
/// (https://developer.apple.com/documentation/storekit/skreceiptpropertyisvolumepurchase).
public let SKReceiptPropertyIsVolumePurchase = "vpp"

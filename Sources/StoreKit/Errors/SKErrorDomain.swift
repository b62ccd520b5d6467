/// The domain of ``SKError`` (https://developer.apple.com/documentation/storekit/skerrordomain).
public let SKErrorDomain = "SKErrorDomain"

/// A piece of content that the store hosts for a product (https://developer.apple.com/documentation/storekit/skdownload).
public struct ProductContent: Hashable, Sendable {
    /// Identifies the piece within the product: 1 to 128 bytes of `A-Z a-z 0-9 . _ : -`.
    public var identifier: String
    /// Integers separated by periods, for example `1.2`.
    public var version: String
    /// The length of the download in bytes; at least 1.
    public var length: Int64

    public init(identifier: String, version: String, length: Int64) {
        self.identifier = identifier
        self.version = version
        self.length = length
    }
}

/// The key that signs promotional offers in local testing.
package struct OfferKeyPair: Hashable, Sendable {
    package var id: String
    package var privateKey: PrivateKey

    package init(id: String, privateKey: PrivateKey) {
        self.id = id
        self.privateKey = privateKey
    }
}

/// A P-256 private key that neither prints nor reflects its bytes.
package struct PrivateKey: Hashable, Sendable {
    /// PKCS #8 in DER.
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

extension PrivateKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "redacted" }
    package var debugDescription: String { "redacted" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

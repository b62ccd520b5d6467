import CCrypto

/// Computes a SHA-256 (FIPS 180-4) of bytes that arrive in pieces. A value: a copy continues independently.
package struct SHA256Hasher: Sendable {
    private var state = SHA256_CTX()

    package init() {
        _ = unsafe SHA256_Init(&state)
    }

    package mutating func update(_ bytes: some Sequence<UInt8>) {
        let isContiguous: Void? = bytes.withContiguousStorageIfAvailable { bytes in
            _ = unsafe SHA256_Update(&state, bytes.baseAddress, bytes.count)
        }
        if isContiguous == nil {
            update(Array(bytes))
        }
    }

    /// The hash of all bytes until now.
    package var digest: SHA256Digest {
        var state = state
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: SHA256Digest.byteCount) { bytes, count in
            _ = unsafe SHA256_Final(bytes.baseAddress, &state)
            count = SHA256Digest.byteCount
        }
        return SHA256Digest(bytes: bytes)
    }
}

/// A SHA-256.
package struct SHA256Digest: Hashable, Sendable {
    static let byteCount = Int(SHA256_DIGEST_LENGTH)

    package let bytes: [UInt8]

    fileprivate init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Hashes the bytes.
    package init(of bytes: some Sequence<UInt8>) {
        var hasher = SHA256Hasher()
        hasher.update(bytes)
        self = hasher.digest
    }
}

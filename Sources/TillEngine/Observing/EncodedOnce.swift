import NIOConcurrencyHelpers

/// Bytes that several senders of the same message share: the first makes them.
package final class EncodedOnce: Sendable {
    private let bytes = NIOLockedValueBox<[UInt8]?>(nil)

    init() {}

    /// The bytes, or those that `encode` makes if there are none yet. Others wait for it, so it has to be quick.
    package func bytes<Failure: Error>(_ encode: () throws(Failure) -> [UInt8]) throws(Failure) -> [UInt8] {
        let made: Result<[UInt8], Failure> = bytes.withLockedValue { bytes in
            if let bytes {
                return .success(bytes)
            }
            return Result { () throws(Failure) in
                let made = try encode()
                bytes = made
                return made
            }
        }
        return try made.get()
    }
}

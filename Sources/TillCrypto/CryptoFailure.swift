import CCrypto

/// An operation that libcrypto refused or could not do.
package struct CryptoFailure: Error, Hashable, CustomStringConvertible {
    /// One sentence, no secrets.
    package let message: String

    package var description: String { message }

    /// - Parameter clause: The failed operation, as a clause without a period.
    ///
    /// Takes libcrypto's reason from this thread's error queue, and empties the queue, so that no later call finds it.
    init(_ clause: String) {
        let reason = unsafe ERR_reason_error_string(ERR_peek_last_error())
        let text = unsafe reason.map { unsafe ": \(String(cString: $0))" } ?? ""
        message = "\(clause)\(text)."
        ERR_clear_error()
    }
}

/// An object of libcrypto, freed at its end.
///
/// `@unchecked Sendable`: the pointer never changes, and only keys and certificates are kept here, which nothing
/// modifies once they are made. libcrypto allows several threads to read an object at the same time: references are
/// counted atomically, and what reading caches is locked (https://docs.openssl.org/3.0/man7/openssl-threads/).
/// `@safe`: it owns the object.
@safe final class CryptoObject: @unchecked Sendable {
    typealias Release = @convention(c) (OpaquePointer?) -> Void

    private let pointer: OpaquePointer
    private let release: Release

    /// - Parameter clause: The failed operation, for the error if the pointer is nil.
    init(_ pointer: OpaquePointer?, _ release: @escaping Release, _ clause: String) throws(CryptoFailure) {
        guard let pointer = unsafe pointer else {
            throw CryptoFailure(clause)
        }
        unsafe self.pointer = unsafe pointer
        unsafe self.release = unsafe release
    }

    deinit {
        unsafe release(pointer)
    }

    /// Passes the pointer to `body`; it is valid until that returns.
    func use<Value, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        defer { withExtendedLifetime(self) {} }
        return try unsafe body(pointer)
    }
}

/// The bytes that one of libcrypto's encoders writes. The encoder returns their number, and writes them unless its
/// argument is nil.
func encoded(_ encoder: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> CInt) -> [UInt8]? {
    let size = encoder(nil)
    guard size > 0 else {
        return nil
    }
    return unsafe [UInt8](unsafeUninitializedCapacity: Int(size)) { bytes, count in
        var place = bytes.baseAddress
        count = max(0, unsafe Int(encoder(&place)))
    }
}

/// The object that one of libcrypto's decoders reads from exactly these bytes; nil for other bytes.
func decoded(
    _ bytes: [UInt8],
    _ release: CryptoObject.Release,
    _ decoder: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?
) -> OpaquePointer? {
    unsafe bytes.withUnsafeBufferPointer { buffer in
        var place = buffer.baseAddress
        guard let object = unsafe decoder(&place, buffer.count) else {
            return nil
        }
        guard let start = buffer.baseAddress, let end = unsafe place, unsafe end - start == buffer.count else {
            unsafe release(object)
            return nil
        }
        return unsafe object
    }
}

/// A value whose contents are never printed: not in a log, an error, a debugger's dump or a test's message.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    package var description: String { "redacted" }
    package var debugDescription: String { "redacted" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

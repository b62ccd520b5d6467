import Glibc

/// A key or a token: bytes in dedicated memory, overwritten when the last reference is released.
///
/// They are never printed. ``withText(_:)`` creates a copy that is not overwritten, so use it briefly.
@safe
final class Secret: Redacted, Sendable {
    // Written only in init, before the object is shared; then only read; deallocated with the last reference.
    private nonisolated(unsafe) let memory: UnsafeMutableBufferPointer<UInt8>

    /// Takes the first `count` bytes, or all, and overwrites the source.
    init(moving bytes: inout [UInt8], count: Int? = nil) {
        let taken = bytes.prefix(count ?? bytes.count)
        unsafe memory = .allocate(capacity: taken.count)
        _ = unsafe memory.initialize(from: taken)
        unsafe bytes.withUnsafeMutableBytes { unsafe Self.wipe($0) }
        bytes = []
    }

    deinit {
        unsafe Self.wipe(UnsafeMutableRawBufferPointer(memory))
        unsafe memory.deallocate()
    }

    var count: Int {
        unsafe memory.count
    }

    /// The bytes as UTF-8.
    func withText<Value, Failure: Error>(_ body: (String) throws(Failure) -> Value) throws(Failure) -> Value {
        try body(unsafe String(decoding: memory, as: UTF8.self))
    }

    /// Overwrites the bytes. The compiler does not optimise this away, unlike an assignment to memory that is then
    /// deallocated.
    static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
        if let start = bytes.baseAddress {
            unsafe explicit_bzero(start, bytes.count)
        }
    }
}

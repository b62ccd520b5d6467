import Glibc

/// A key or a token: bytes in memory of their own, overwritten when the last reference to them is gone.
///
/// Nothing prints them. What is made of them by ``withText(_:)`` is a copy that is not overwritten, so keep it short.
@safe
package final class Secret: Redacted, Sendable {
    // Written in init before anybody else has it, only read from then on, and given back by the last reference.
    private nonisolated(unsafe) let memory: UnsafeMutableBufferPointer<UInt8>

    /// Takes the first bytes, all unless `count` says how many, and overwrites where they came from.
    package init(moving bytes: inout [UInt8], count: Int? = nil) {
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

    package var count: Int {
        unsafe memory.count
    }

    /// The bytes as UTF-8.
    package func withText<Value, Failure: Error>(_ body: (String) throws(Failure) -> Value) throws(Failure) -> Value {
        try body(unsafe String(decoding: memory, as: UTF8.self))
    }

    /// Not left out by the compiler, as an assignment to what is given back may be.
    static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
        if let start = bytes.baseAddress {
            unsafe explicit_bzero(start, bytes.count)
        }
    }
}

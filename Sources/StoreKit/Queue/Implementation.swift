import NIOConcurrencyHelpers

/// Distinguishes an optional method's default from an implementation that returns the same value.
enum OptionalMethod {
    @TaskLocal private static var probe: NIOLockedValueBox<Bool>?

    /// Called by the default implementation of an optional method to mark it as not implemented.
    static func isMissing() {
        probe?.withLockedValue { $0 = true }
    }

    /// Calls an optional method and returns its result; nil if it is not implemented.
    static func answer<Value>(_ call: () -> Value) -> Value? {
        let missing = NIOLockedValueBox(false)
        let value = $probe.withValue(missing) { call() }
        return missing.withLockedValue { $0 } ? nil : value
    }
}

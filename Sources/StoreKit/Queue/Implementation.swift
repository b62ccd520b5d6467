import NIOConcurrencyHelpers

/// Tells an optional method's default from an implementation that answers the same.
enum Implementation {
    @TaskLocal private static var probe: NIOLockedValueBox<Bool>?

    /// Says that the method which is being called is only its default.
    static func isMissing() {
        probe?.withLockedValue { $0 = true }
    }

    /// What an optional method answers; nil if it is not implemented.
    static func answer<Value>(_ call: () -> Value) -> Value? {
        let missing = NIOLockedValueBox(false)
        let value = $probe.withValue(missing) { call() }
        return missing.withLockedValue { $0 } ? nil : value
    }
}

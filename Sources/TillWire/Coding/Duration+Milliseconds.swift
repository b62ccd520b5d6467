extension Duration {
    /// Whole milliseconds for a field; its ends for what is beyond them.
    var fieldMilliseconds: UInt32 {
        let (seconds, attoseconds) = components
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else {
            return seconds < 0 ? .min : .max
        }
        return UInt32(clamping: milliseconds.addingReportingOverflow(attoseconds / 1_000_000_000_000_000).partialValue)
    }
}

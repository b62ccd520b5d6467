extension Duration {
    /// Whole milliseconds for a field; its ends for what is beyond them.
    var fieldMilliseconds: UInt32 {
        UInt32(clamping: longFieldMilliseconds)
    }

    /// The same for a field of 64 bits.
    var longFieldMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, sumOverflow) = milliseconds.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        guard !overflow, !sumOverflow else {
            return seconds < 0 ? .min : .max
        }
        return sum
    }
}

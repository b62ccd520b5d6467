extension Range<Int> {
    /// The numbers, repeated indefinitely.
    var cycled: some Sequence<Int> {
        (0...).lazy.map { lowerBound + $0 % count }
    }
}

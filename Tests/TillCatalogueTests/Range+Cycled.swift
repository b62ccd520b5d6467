extension Range<Int> {
    /// The numbers over and over.
    var cycled: some Sequence<Int> {
        (0...).lazy.map { lowerBound + $0 % count }
    }
}

import TestValues

extension SplitMix64 {
    /// Returns a number from 0 to `bound` - 1; 0 for a bound below 2.
    mutating func below(_ bound: Int) -> Int {
        bound < 2 ? 0 : Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.count)
    }

    /// Returns true with a probability of `permille` in 1000.
    mutating func chance(_ permille: Int) -> Bool {
        permille > 0 && below(1000) < permille
    }

    mutating func element<Element>(of array: [Element]) -> Element? {
        array.isEmpty ? nil : array[below(array.count)]
    }

    mutating func duration(_ milliseconds: ClosedRange<Int>) -> Duration {
        .microseconds(1000 * milliseconds.lowerBound + below(1000 * (milliseconds.count - 1) + 1))
    }
}

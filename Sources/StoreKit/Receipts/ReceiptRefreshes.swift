import NIOConcurrencyHelpers

/// Writes receipts that are fetched concurrently, so that no receipt replaces one that was requested later.
final class ReceiptRefreshes: Sendable {
    private let file: ReceiptFile
    /// The number of refreshes that were begun, and the number of the refresh whose receipt is in the file.
    private let numbers = NIOLockedValueBox((begun: 0, written: 0))

    init(_ file: ReceiptFile) {
        self.file = file
    }

    /// Call it before requesting a receipt.
    ///
    /// - Returns: The refresh's number, for ``write(_:from:)``.
    func begin() -> Int {
        numbers.withLockedValue { numbers in
            numbers.begun += 1
            return numbers.begun
        }
    }

    /// Replaces the file, unless it contains a receipt that was requested later, which includes everything in this one.
    func write(_ receipt: String, from number: Int) throws {
        try numbers.withLockedValue { numbers in
            guard number > numbers.written else {
                return
            }
            try file.write(receipt)
            numbers.written = number
        }
    }

    var path: String {
        file.path
    }
}

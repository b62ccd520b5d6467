import NIOConcurrencyHelpers

/// Writes receipts that are fetched at once, so that none replaces what was asked for later.
final class ReceiptRefreshes: Sendable {
    private let file: ReceiptFile
    /// How many were begun, and which of them is in the file.
    private let numbers = NIOLockedValueBox((begun: 0, written: 0))

    init(_ file: ReceiptFile) {
        self.file = file
    }

    /// A receipt is about to be asked for.
    ///
    /// - Returns: The refresh's number, for ``write(_:from:)``.
    func begin() -> Int {
        numbers.withLockedValue { numbers in
            numbers.begun += 1
            return numbers.begun
        }
    }

    /// Replaces the file, unless it holds a receipt that was asked for after this one, which has all that this one has.
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

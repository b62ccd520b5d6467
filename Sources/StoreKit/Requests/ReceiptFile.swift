import Foundation
import NIOConcurrencyHelpers
import TillClient
import TillModel

/// The application's receipt as a file that belongs to the user.
struct ReceiptFile: Sendable {
    let path: String

    /// The path in `TILL_RECEIPT`, else `till/APPLICATION/receipt` in the user's data directory.
    ///
    /// - Returns: Nil for a user without a home directory.
    static func standard(application: String, environment: [String: String]) -> ReceiptFile? {
        if let path = environment["TILL_RECEIPT"], !path.isEmpty {
            return ReceiptFile(path: path)
        }
        let name = application.hasPrefix(".") ? "_\(application)" : application
        return DefaultPaths.data(environment: environment).map { ReceiptFile(path: "\($0)/till/\(name)/receipt") }
    }

    var url: URL {
        URL(filePath: path)
    }

    /// Replaces the receipt atomically: a reader sees either the old one or the new one.
    func write(_ receipt: String) throws {
        let directory = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try Data(receipt.utf8).write(to: url, options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
}

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

/// The application's receipt file.
extension DaemonConnection {
    /// Fetches the current receipt and writes it to its file.
    func refreshReceipt() async throws(TillError) {
        guard let receipts else {
            throw TillError(
                .failedPrecondition,
                "The receipt has no path: set HOME, XDG_DATA_HOME or TILL_RECEIPT."
            )
        }
        let number = receipts.begin()
        let receipt = try await client.applicationReceipt()
        do {
            try receipts.write(receipt, from: number)
        } catch {
            throw TillError(.failedPrecondition, "The receipt cannot be written to \(receipts.path).", cause: error)
        }
    }

    /// Refreshes the receipt before a change to it is reported. While the daemon is unavailable, the report waits too.
    func updateReceipt() async {
        while !Task.isCancelled {
            do throws(TillError) {
                return try await refreshReceipt()
            } catch {
                switch error.code {
                case .unavailable, .deadlineExceeded, .resourceExhausted:
                    try? await Task.sleep(for: Self.pause)
                case .cancelled:
                    // The connection has ended; the queue already follows another store.
                    return
                default:
                    return warnOfReceipt(error)
                }
            }
        }
    }

    /// Warns only once, because every further purchase would cause the same warning.
    private func warnOfReceipt(_ error: TillError) {
        let isFirst = withState { state in
            defer { state.hasWarnedOfReceipt = true }
            return !state.hasWarnedOfReceipt
        }
        if isFirst {
            StandardError.write("The receipt is not up to date: \(error.message)")
        }
    }
}

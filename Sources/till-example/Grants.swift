import Foundation
import TillClient

/// The purchases that the app has granted to its user, so that no purchase is granted twice.
///
/// A transaction is delivered repeatedly until it is finished, even if the app crashes between granting and finishing.
/// So a grant is recorded under the id of its purchase before the transaction is finished.
struct Grants {
    private let log: Log
    private let file: FileHandle?
    private var granted: Set<String> = []

    /// - Parameter path: A file with one grant per line; nil to keep the grants in memory only.
    init(path: String?, log: Log) throws {
        self.log = log
        guard let path else {
            file = nil
            return
        }
        do {
            if !FileManager.default.fileExists(atPath: path) {
                try Data().write(to: URL(filePath: path))
            }
            let file = try FileHandle(forUpdating: URL(filePath: path))
            let lines = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
            self.file = file
            granted = Set(lines.compactMap { $0.split(separator: " ").first.map(String.init) })
        } catch {
            let reason = error.localizedDescription
            throw TillError(.failedPrecondition, "The grants cannot be kept in \(path): \(reason)", cause: error)
        }
    }

    /// Grants the transaction's purchase, unless it was granted before.
    mutating func grant(_ transaction: Transaction) throws {
        // A restored or already owned purchase is identified by the payment that was charged.
        let purchase = (transaction.original?.id ?? transaction.id).uuidString.lowercased()
        let subject = "\(transaction.payment.productID) ×\(transaction.payment.quantity)"
        guard !granted.contains(purchase) else {
            return log("granted before", subject, "purchase=\(purchase)")
        }
        try file?.write(contentsOf: Data("\(purchase) \(subject)\n".utf8))
        try file?.synchronize()
        granted.insert(purchase)
        log("granted", subject, "purchase=\(purchase)")
    }
}

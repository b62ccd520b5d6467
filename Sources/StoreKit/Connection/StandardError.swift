import Foundation

/// Writes the library's warnings to standard error.
enum StandardError {
    static func write(_ message: String) {
        FileHandle.standardError.write(Data("StoreKit: \(message)\n".utf8))
    }
}

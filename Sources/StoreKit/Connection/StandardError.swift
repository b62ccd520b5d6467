import Foundation

/// Where the library warns of what nobody asked it about.
enum StandardError {
    static func write(_ message: String) {
        FileHandle.standardError.write(Data("StoreKit: \(message)\n".utf8))
    }
}

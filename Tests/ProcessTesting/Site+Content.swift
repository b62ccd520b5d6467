import Foundation
import TillCrypto
import TillModel

/// Content that the store hosts.
extension Site {
    /// Makes the store host one piece of content for a product, before a daemon starts.
    ///
    /// - Parameter address: Where the daemons download it.
    package func host(_ content: [UInt8], ofProduct product: String, at address: String) throws {
        let sum = SHA256Digest(of: content).bytes.hexadecimal
        let manifest = """
            {"version": 1, "products": {"\(product)": [
                {"identifier": "templates", "version": "1.0", "length": \(content.count), "sha256": "\(sum)",
                 "source": "\(address)"}
            ]}}
            """
        try manifest.write(toFile: path("store.content.json"), atomically: true, encoding: .utf8)
    }

    /// The files of downloads in a state directory, complete or partial.
    package static func contentFiles(inState state: String) -> [String] {
        ["partial", "accounts"].flatMap { files(below: "\(state)/content/\($0)") }
    }

    /// Lists the files below a directory.
    private static func files(below path: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return names.filter { name in
            var isDirectory: ObjCBool = false
            return unsafe FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isDirectory)
                && !isDirectory.boolValue
        }
    }
}

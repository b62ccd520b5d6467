package import Foundation
import TillCrypto

extension PublishedContent {
    /// The suffix of the marker file beside complete content.
    private static let mark = "~whole"

    /// Lists all final names below a content directory: `accounts/ACCOUNT/APPLICATION/ID/CONTENT`.
    package static func all(below directory: String) throws -> [PublishedContent] {
        var found: [PublishedContent] = []
        let accounts = "\(directory)/accounts"
        for account in Self.names(in: accounts) {
            for application in Self.names(in: "\(accounts)/\(account)") {
                let place = "\(accounts)/\(account)/\(application)"
                for name in Self.names(in: place) {
                    guard let id = UUID(uuidString: name) else { continue }
                    let identifier = Self.names(in: "\(place)/\(name)").first { $0 != mark }
                    let content = try identifier.map { try Content(identifier: $0, at: "\(place)/\(name)/\($0)") }
                    found.append(PublishedContent(download: id, content: content))
                }
            }
        }
        return found
    }

    private static func names(in directory: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()
    }
}

extension Content {
    /// Reads the content of a file, or of a directory of files.
    init(identifier: String, at path: String) throws {
        self.init(identifier: identifier, files: [:])
        guard let names = FileManager.default.enumerator(atPath: path) else {
            return
        }
        if try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType == .typeRegular {
            files[""] = Digest(try Data(contentsOf: URL(filePath: path)))
            return
        }
        for case let name as String in names {
            let file = "\(path)/\(name)"
            if try FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType == .typeRegular {
                files[name] = Digest(try Data(contentsOf: URL(filePath: file)))
            }
        }
    }
}

extension Content.Digest {
    package init(_ data: Data) {
        self.init(length: data.count, hash: SHA256Digest(of: data).bytes)
    }
}

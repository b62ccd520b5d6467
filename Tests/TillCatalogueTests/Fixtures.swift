import Foundation

/// The fixture files: one for each format version, with its new features.
enum Fixtures {
    static let versions = ["1.0", "1.1", "1.2", "2.0", "3.0", "4.0", "5.0"]

    static func data(version: String) throws -> Data {
        try Data(contentsOf: Bundle.module.bundleURL.appending(path: "Fixtures/\(version).storekit"))
    }
}

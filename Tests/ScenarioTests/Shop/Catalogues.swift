import Foundation

/// The `.storekit` files of the scenarios.
enum Catalogues {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    /// The catalogue of the example.
    static let notes = root.appending(path: "Sources/till-example/Notes.storekit")

    /// The files in the directory that `TILL_CATALOGUES` names; by default, those of this repository.
    static let all: [URL] = {
        guard let directory = ProcessInfo.processInfo.environment["TILL_CATALOGUES"] else {
            // If the fixtures are missing, the result must be empty, and not only the example's catalogue.
            let fixtures = files(in: root.appending(path: "Tests/TillCatalogueTests/Fixtures"))
            return fixtures.isEmpty ? [] : fixtures + [notes]
        }
        return files(in: URL(filePath: directory))
    }()

    private static func files(in directory: URL) -> [URL] {
        let files = try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
        return (files ?? []).filter { $0.pathExtension == "storekit" }.sorted { $0.path < $1.path }
    }
}

/// The products of the example's catalogue.
enum Notes {
    static let coins = "org.example.notes.coins10"
    static let coins100 = "org.example.notes.coins100"
    static let pro = "org.example.notes.pro"
    static let monthly = "org.example.notes.sync.monthly"
}

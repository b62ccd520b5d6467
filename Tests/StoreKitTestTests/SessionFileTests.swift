import Foundation
import StoreKitTest
import Testing
@testable import StoreKitTest

@Suite struct SessionFileTests {
    @Test(arguments: ["Notes", "Notes.storekit"]) func aFileIsFoundByItsName(name: String) throws {
        #expect(try SKTestSession.fileURL(name) == "Notes.storekit")
    }

    @Test func theCurrentDirectoryIsSearchedLast() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let bundle = directory.appending(path: "a.resources/nested")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        let (inside, outside) = (bundle.appending(path: "A.storekit"), directory.appending(path: "B.storekit"))
        for url in [inside, outside] {
            try Data().write(to: url)
        }
        let empty = directory.appending(path: "empty")
        #expect(try SessionFile.find("A", bundle: directory, current: empty).path == inside.path)
        #expect(try SessionFile.find("B", bundle: empty, current: directory).path == outside.path)
        expect(.fileNotFound) { _ = try SessionFile.find("A", bundle: empty, current: directory) }
    }

    @Test func anInvalidConfigurationIsRefusedWithTheReason() throws {
        expect(.fileNotFound) { _ = try SKTestSession(configurationFileNamed: "nothing") }
        expect(.fileNotFound) { _ = try SKTestSession(contentsOf: URL(filePath: "/nowhere/a.storekit")) }
        let web = try #require(URL(string: "https://example.org/a.storekit"))
        expect(.invalidURL) { _ = try SKTestSession(contentsOf: web) }
        expect(.serviceUnavailable) { _ = try SKTestSession(contentsOf: URL(filePath: "/dev/null")) }
    }
}

extension SKTestSession {
    /// The name of the file that is found.
    fileprivate static func fileURL(_ name: String) throws -> String {
        try SessionFile.find(name).lastPathComponent
    }
}

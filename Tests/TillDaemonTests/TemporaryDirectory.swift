import Foundation

/// Runs `body` with a directory that is removed afterwards.
func inTemporaryDirectory(_ body: (String) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    try body(url.path)
}

/// Runs an asynchronous `body` with a directory that is removed afterwards.
func withTemporaryDirectory(_ body: (String) async throws -> Void) async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    try await body(url.path)
}

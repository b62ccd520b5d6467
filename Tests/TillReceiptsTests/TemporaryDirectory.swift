import Foundation

/// Runs `body` with a directory that is gone afterwards.
func inTemporaryDirectory<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let url = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    return try await body(url.path)
}

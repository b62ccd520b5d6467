package import Testing
package import TillModel

/// Expects an error with this code, and returns it.
@discardableResult
package func expect(
    _ code: TillError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async -> TillError? {
    do {
        try await body()
        Issue.record("Expected \(code), but no error was thrown.", sourceLocation: sourceLocation)
    } catch let error as TillError {
        #expect(error.code == code, sourceLocation: sourceLocation)
        return error
    } catch {
        Issue.record("Expected \(code), but \(error) was thrown.", sourceLocation: sourceLocation)
    }
    return nil
}

package import Testing
package import TillModel

/// Expects the error of that code, and returns it.
@discardableResult
package func expect(
    _ code: TillError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async -> TillError? {
    do {
        try await body()
        Issue.record("No error, where \(code) was due.", sourceLocation: sourceLocation)
    } catch let error as TillError {
        #expect(error.code == code, sourceLocation: sourceLocation)
        return error
    } catch {
        Issue.record("\(error), where \(code) was due.", sourceLocation: sourceLocation)
    }
    return nil
}

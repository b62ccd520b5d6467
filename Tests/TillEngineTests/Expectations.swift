import Testing
import TillEngine
import TillModel

/// Expects the error of that code, and returns it.
@discardableResult
func expect(
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

extension EngineHarness {
    /// Moves the clock second by second until the transaction is final.
    func advance(until id: TillModel.Payment.ID, in name: TillEngine.QueueName = notes) async throws {
        while try await ledger.read({ try $0.transaction(id)?.state.isFinal }) != true {
            time.advance(by: 1)
            await Task.yield()
        }
    }
}

import TillEngine
import TillModel
import TillTesting

extension EngineHarness {
    /// Moves the clock second by second until the transaction is final.
    func advance(until id: TillModel.Payment.ID, in name: TillEngine.QueueName = notes) async throws {
        while try await ledger.read({ try $0.transaction(id)?.state.isFinal }) != true {
            time.advance(by: 1)
            try await Task.yieldUnlessCancelled()
        }
    }
}

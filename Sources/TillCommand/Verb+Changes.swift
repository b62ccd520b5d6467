import TillClient

extension Verb {
    /// Has an operator's connection change something, which is sent once.
    ///
    /// - Parameter timeout: How long the change may take.
    func changing(
        timeout: Duration = CommonOptions.callTimeout,
        _ body: (TillOperator) async throws -> Void
    ) async throws {
        // A daemon that cannot be reached is found out before anything is sent.
        try await withOperator { _ = try await $0.clock() }
        try await withOperator(callTimeout: timeout) { store in
            do {
                try await body(store)
            } catch let error as TillError where error.mayHaveHappened {
                var failure = CommandFailure(error, socketPath: store.configuration.socketPath)
                failure.message = failure.message.map { "\($0) It may have happened: look before you repeat it." }
                throw failure
            }
        }
    }
}

extension TillError {
    fileprivate var mayHaveHappened: Bool {
        code == .unavailable || code == .deadlineExceeded
    }
}

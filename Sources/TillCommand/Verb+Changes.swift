import TillClient

extension Verb {
    /// Has an operator's connection change something, which is sent once.
    func changing(_ body: (TillOperator) async throws -> Void) async throws {
        try await withOperator { store in
            // Reached once, so that what fails from here on may have been sent.
            _ = try await store.clock()
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

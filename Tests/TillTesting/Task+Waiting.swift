extension Task where Success == Never, Failure == Never {
    /// Lets other tasks run, in a loop that waits for their effects.
    ///
    /// - Throws: `CancellationError` once the test is cancelled, for example by its time limit. This ends the loop,
    ///   and the report names the test.
    package static func yieldUnlessCancelled() async throws {
        try checkCancellation()
        await yield()
    }
}

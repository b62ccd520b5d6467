extension Task where Success == Never, Failure == Never {
    /// Lets other tasks run, in a loop that waits for what they do.
    ///
    /// - Throws: `CancellationError` once the test was cancelled, as by its time limit: the loop ends, and the test that
    ///   waited in vain has a name.
    package static func yieldUnlessCancelled() async throws {
        try checkCancellation()
        await yield()
    }
}

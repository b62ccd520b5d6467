package import FoundationEssentials

#if MUTANTS
    import Mutants
#endif

/// Where the engine gets the time from; nothing in it reads the wall clock.
package protocol TimeSource: Sendable {
    func now() -> Date
    /// Returns after `duration`, or throws when the task is cancelled.
    func sleep(for duration: Duration) async throws
}

/// The machine's time: dates from the wall clock, waits from the monotonic one, so that a jump of the wall clock delays
/// nothing.
package struct SystemTime: TimeSource {
    package init() {}

    package func now() -> Date {
        Date()
    }

    package func sleep(for duration: Duration) async throws {
        #if MUTANTS
            if Mutant.wallClockTimeout.isPlanted {
                return try await sleepByTheWallClock(for: duration)
            }
        #endif
        try await Task.sleep(for: duration, clock: .continuous)
    }
}

#if MUTANTS
    extension SystemTime {
        private func sleepByTheWallClock(for duration: Duration) async throws {
            let end = Date().addingTimeInterval(duration / .seconds(1))
            while Date() < end {
                try await Task.sleep(for: .milliseconds(5), clock: .continuous)
            }
        }
    }
#endif

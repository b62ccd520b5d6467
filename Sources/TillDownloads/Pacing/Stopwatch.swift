/// Measures the time since its creation, by any clock.
struct Stopwatch: Sendable {
    private let read: @Sendable () -> Duration

    var elapsed: Duration { read() }

    init(_ clock: any Clock<Duration>) {
        read = Self.reader(clock)
    }

    private static func reader<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}

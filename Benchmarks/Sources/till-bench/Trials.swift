/// All measurements of Till alone.
enum Trials {
    static func all(_ options: BenchOptions) -> [any Trial] {
        let tilld = Tilld(options)
        return [
            RestoreTrial(tilld: tilld, purchases: options.restored),
            ScaleTrial(tilld: tilld, finished: options.finished, purchases: options.purchases),
            StartTrial(tilld: tilld, open: options.open),
            MemoryTrial(tilld: tilld, connections: options.idle),
            PageTrial(tilld: tilld),
            HostsTrial(tilld: tilld),
        ]
    }

    /// The names of the trials.
    static let names = ["restore", "scale", "start", "memory", "page", "hosts"]
}

/// Caches the results of opening the most recent disks. The disks of neighbouring crash points are often identical;
/// only the answers that clients had received differ.
struct RecentOpenings {
    /// The maximum number of cached disks, each of a few megabytes.
    static let countMaximum = 32

    private var openings: [DiskState: StateCheck.Opening] = [:]
    /// The cached disks, the oldest first.
    private var order: [DiskState] = []

    mutating func opening(
        of state: DiskState,
        open: () async throws -> StateCheck.Opening
    ) async throws -> StateCheck.Opening {
        if let opening = openings[state] {
            return opening
        }
        let opening = try await open()
        openings[state] = opening
        order.append(state)
        if order.count > Self.countMaximum {
            openings[order.removeFirst()] = nil
        }
        return opening
    }
}

/// What was made of the last disks: those of neighbouring crash points are often the same, byte for byte, and only what
/// clients had been answered by then is not.
struct RecentOpenings {
    /// Disks that are kept, each of a few megabytes.
    static let countMaximum = 32

    private var openings: [DiskState: StateCheck.Opening] = [:]
    /// The oldest first.
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

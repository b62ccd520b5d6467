import ProcessTesting

/// Runs two daemons with their applications for a long time. One is killed and has every kind of fault. The other
/// survives all its faults, and its memory and descriptors are measured.
package struct Soak: Sendable {
    let plan: SoakPlan
    /// A function that is sometimes called with a line of progress.
    let progress: @Sendable (String) -> Void

    package init(plan: SoakPlan, progress: @escaping @Sendable (String) -> Void) {
        self.plan = plan
        self.progress = progress
    }

    package func run() async throws -> [SoakReport] {
        try await withThrowingTaskGroup(of: SoakReport.self) { group in
            group.addTask { try await Site.with { try await steady(at: $0) } }
            group.addTask { try await Site.with { try await stormy(at: $0) } }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.name < $1.name }
        }
    }

    private func steady(at site: Site) async throws -> SoakReport {
        let clock = try await WallClock(site: site)
        var part = try SoakPart(
            name: "steady daemon",
            site: site,
            plan: plan,
            faults: SoakFault.survivable,
            clock: clock,
            disk: nil
        )
        return try await part.run(progress)
    }

    private func stormy(at site: Site) async throws -> SoakReport {
        let clock = try await WallClock(site: site)
        let disk = try await SmallDisk(at: site, size: "2g")
        let faults = SoakFault.allCases.filter { $0 != .fullDisk || disk != nil }
        do {
            var part = try SoakPart(
                name: "failing daemon",
                site: site,
                plan: plan,
                faults: faults,
                clock: clock,
                disk: disk
            )
            let report = try await part.run(progress)
            try await disk?.unmount()
            return report
        } catch {
            try await disk?.unmount()
            throw error
        }
    }
}

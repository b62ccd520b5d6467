import Foundation

/// Measures what the operator page and the metrics cost the adds.
struct PageTrial: Trial {
    private static let adds = Shape(64, 1)
    /// The page's usual address, which must be free.
    private static let address = "127.0.0.1:8481"

    private enum Use: CaseIterable {
        case off
        case on
        case watched

        var title: String {
            switch self {
            case .off: "page and metrics off"
            case .on: "on, and nobody looks"
            case .watched: "on, an open overview and the metrics read twice a second"
            }
        }
    }

    let tilld: Tilld
    let name = "page"

    var title: String {
        "adds with the operator page and the metrics, \(Self.adds.title(of: .adds))"
    }

    var programs: [Program] {
        tilld.programs + [.load, SwiftClientPeer.client]
    }

    /// The uses take turns, and each turn begins with another one.
    func measure(_ workspace: Workspace, repetitions: Int) throws -> [Quantity] {
        var quantities = Use.allCases.map { Quantity($0.title, "/s") }
        for turn in 0..<repetitions {
            for step in Use.allCases.indices {
                let index = (turn + step) % Use.allCases.count
                quantities[index].note(try addsPerSecond(Use.allCases[index], workspace))
            }
        }
        return quantities
    }

    private func addsPerSecond(_ use: Use, _ workspace: Workspace) throws -> Double {
        let trial = try TrialRun(workspace, tilld, Self.adds)
        defer { trial.end() }
        let options = use == .off ? [] : ["--console-address", Self.address]
        _ = try trial.serve(trial.emptyState, holdsCharges: true, options)
        let page = use == .watched ? try trial.keep("page") : nil
        let perSecond = try trial.addsPerSecond()
        guard page?.isRunning ?? true else {
            throw BenchError("The reader of the page has ended. \(trial.run.lastLine ?? "")")
        }
        return perSecond
    }
}

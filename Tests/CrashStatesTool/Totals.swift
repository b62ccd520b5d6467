import CrashStates
import TillInvariants

/// The totals of all recordings of a run.
struct Totals {
    private var recordings = 0
    private var places = 0
    private var usedPlaces = 0
    private var answers = 0
    private var served = 0
    private(set) var figures = Sweep.Figures()

    /// The invariants that a run with so many different moments must examine.
    private static let needed: [Invariant] = [
        .acknowledgedPaymentsAreKept, .finishedStaysFinished, .statesMoveForward, .purchasesAreCharged, .booksAgree,
        .contentIsWhole, .finishedDownloadsAreKept, .auditIsIntact, .actsAreAudited,
    ]

    mutating func add(_ result: Campaign.Result) {
        recordings += 1
        places += result.places
        answers += result.answers
        served += result.served
        usedPlaces += result.figures.places.count
        figures.opened += result.figures.opened
        figures.states += result.figures.states
        figures.examined.merge(result.figures.examined) { $0 + $1 }
        figures.failures += result.figures.failures
    }

    /// Whether nothing failed, and every needed invariant was examined.
    var isProof: Bool {
        figures.failures.isEmpty && Self.needed.allSatisfy { figures.examined[$0, default: 0] > 0 }
    }

    func print(after duration: Duration) {
        let seconds = Double(duration.components.seconds)
        Swift.print("Recordings: \(recordings), with \(places) crash points and \(answers) answers")
        Swift.print("Crash points used: \(usedPlaces)")
        Swift.print("Disk states: \(figures.states)")
        Swift.print("Opened, because they differ from recent states: \(figures.opened)")
        Swift.print("Served by the real daemon: \(served)")
        let examined = Invariant.allCases.map { "\($0.rawValue) \(figures.examined[$0, default: 0])" }
        Swift.print("Examined: \(examined.joined(separator: ", "))")
        for invariant in Self.needed where figures.examined[invariant, default: 0] == 0 {
            Swift.print("FAILED: \(invariant) was never examined")
        }
        let rate = Int(Double(figures.states) / max(seconds, 1))
        Swift.print("Took: \(Int(seconds)) s, \(rate) states a second")
        Swift.print("Failures: \(figures.failures.count)")
    }
}

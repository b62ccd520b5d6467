package import CoreMetrics
import FoundationEssentials
import TillMetrics
import TillModel

/// The engine's counters and histograms. Without a metrics backend, a record does nothing.
package struct EngineMetrics: Sendable {
    /// Those of the metrics system of the process, as it was set up when they are first used.
    package static let shared = EngineMetrics(factory: MetricsSystem.factory)

    private let commitCommands: Recorder
    private let commitDuration: Timer
    private let refusals: [CommandRefusal: Counter]
    private let calls: [ProviderMethod: [ProviderOutcome: Counter]]
    private let callDurations: [ProviderMethod: Timer]
    private let prunedTransactions: Counter

    /// Creates every series that can be, so that each begins at 0 and a record creates none.
    package init(factory: any MetricsFactory) {
        commitCommands = Recorder(label: Metric.commitCommands.name, dimensions: [], aggregate: true, factory: factory)
        commitDuration = Timer(label: Metric.commitDuration.name, dimensions: [], factory: factory)
        refusals = Self.byCase { refusal in
            Counter(
                label: Metric.refusedCommands.name,
                dimensions: Metric.refusedCommands.labels(refusal.rawValue),
                factory: factory
            )
        }
        calls = Self.byCase { call in
            Self.byCase(call.outcomes) { outcome in
                Counter(
                    label: Metric.providerCalls.name,
                    dimensions: Metric.providerCalls.labels(call.rawValue, outcome.rawValue),
                    factory: factory
                )
            }
        }
        callDurations = Self.byCase { call in
            Timer(
                label: Metric.providerCallDuration.name,
                dimensions: Metric.providerCallDuration.labels(call.rawValue),
                factory: factory
            )
        }
        prunedTransactions = Counter(label: Metric.prunedTransactions.name, dimensions: [], factory: factory)
    }

    private static func byCase<Key: CaseIterable & Hashable, Value>(_ value: (Key) -> Value) -> [Key: Value] {
        byCase(Array(Key.allCases), value)
    }

    private static func byCase<Key: Hashable, Value>(_ keys: [Key], _ value: (Key) -> Value) -> [Key: Value] {
        Dictionary(keys.map { ($0, value($0)) }) { first, _ in first }
    }

    /// - Parameter seconds: By a clock that may have been set in between.
    func committed(commands: Int, seconds: TimeInterval) {
        commitCommands.record(commands)
        commitDuration.recordSeconds(max(0, seconds))
    }

    func refused(_ refusal: CommandRefusal) {
        refusals[refusal]?.increment()
    }

    func pruned(_ transactions: Int) {
        prunedTransactions.increment(by: transactions)
    }

    func called(_ call: ProviderMethod, _ outcome: ProviderOutcome, _ duration: Duration) {
        calls[call]?[outcome]?.increment()
        callDurations[call]?.recordSeconds(duration / .seconds(1))
    }
}

/// An answer of a provider, which has an outcome for the metrics.
protocol ProviderAnswer {
    var outcome: ProviderOutcome { get }
    /// The same answer with text that every ledger can keep.
    var storable: Self { get }
}

extension Preparation: ProviderAnswer {
    var outcome: ProviderOutcome {
        switch self {
        case .ready: .ready
        case .declined: .declined
        case .unknown: .unknown
        case .busy: .busy
        }
    }
}

extension ChargeOutcome: ProviderAnswer {
    var outcome: ProviderOutcome {
        switch self {
        case .succeeded: .succeeded
        case .declined: .declined
        case .unknown: .unknown
        case .busy: .busy
        case .payerAction: .payerAction
        case .pending: .pending
        }
    }
}

extension ChargeStatus: ProviderAnswer {
    var outcome: ProviderOutcome {
        switch self {
        case .settled(let outcome): outcome.outcome
        case .ready: .ready
        case .notFound: .notFound
        case .unreachable: .unreachable
        }
    }
}

/// An answer to a question that can fail.
extension Result: ProviderAnswer {
    var outcome: ProviderOutcome {
        switch self {
        case .success: .succeeded
        case .failure: .failed
        }
    }
}

/// The reason why purchases may not be restored; nil if they may.
extension Optional: ProviderAnswer where Wrapped == PaymentError {
    var outcome: ProviderOutcome {
        self == nil ? .succeeded : .declined
    }
}

import Foundation
import NIOConcurrencyHelpers

/// Where a request stands, whom it tells, and what keeps it until it has ended.
// All of it is under one lock.
final class RequestLife: @unchecked Sendable {
    private enum Stage {
        case new
        case running(SKRequest, Task<Void, Never>?)
        case over
    }

    private struct State {
        var stage = Stage.new
        weak var delegate: (any SKRequestDelegate)?
    }

    private let state = NIOLockedValueBox(State())

    var delegate: (any SKRequestDelegate)? {
        get { state.withLockedValue { $0.delegate } }
        set { state.withLockedValue { $0.delegate = newValue } }
    }

    /// The request, while it is under way.
    var request: SKRequest? {
        state.withLockedValue { state in
            if case .running(let request, _) = state.stage { request } else { nil }
        }
    }

    /// Holds the request until its end and does its work; once only.
    func begin(_ request: SKRequest, _ work: @escaping @Sendable (RequestLife) async -> Void) {
        let isFirst = state.withLockedValue { state in
            guard case .new = state.stage else {
                return false
            }
            state.stage = .running(request, nil)
            return true
        }
        guard isFirst else {
            return
        }
        let task = StoreTask.start { await work(self) }
        let isCancelled = state.withLockedValue { state in
            if case .running(let request, _) = state.stage {
                state.stage = .running(request, task)
                return false
            }
            return true
        }
        if isCancelled {
            task.cancel()
        }
    }

    /// Ends it without a word.
    func cancel() {
        // The request is let go of without the lock: its end may come with it.
        let ended = state.withLockedValue { state in
            guard case .running(let request, let task) = state.stage else {
                return nil as (SKRequest, Task<Void, Never>?)?
            }
            state.stage = .over
            return (request, task)
        }
        ended?.1?.cancel()
    }

    /// Ends it, and says so with `tell`, unless it has ended.
    func end(_ tell: (SKRequest, (any SKRequestDelegate)?) -> Void) {
        let ended = state.withLockedValue { state in
            guard case .running(let request, _) = state.stage else {
                return nil as (SKRequest, (any SKRequestDelegate)?)?
            }
            state.stage = .over
            return (request, state.delegate)
        }
        if let (request, delegate) = ended {
            tell(request, delegate)
        }
    }

    /// Ends it with a failure.
    func fail(_ error: any Error) {
        end { $1?.request($0, didFailWithError: error) }
    }
}

import Foundation
import NIOConcurrencyHelpers

/// A request's state and delegate, and the reference that keeps the request alive until it has ended.
// A lock protects all state.
final class RequestLifecycle: @unchecked Sendable {
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

    /// The request while it is running.
    var request: SKRequest? {
        state.withLockedValue { state in
            if case .running(let request, _) = state.stage { request } else { nil }
        }
    }

    /// Keeps the request alive until its end and starts its work; later calls have no effect.
    func begin(_ request: SKRequest, _ work: @escaping @Sendable (RequestLifecycle) async -> Void) {
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

    /// Ends the request without notifying the delegate.
    func cancel() {
        // The request is released outside the lock because this may deallocate it.
        let ended = state.withLockedValue { state in
            guard case .running(let request, let task) = state.stage else {
                return nil as (SKRequest, Task<Void, Never>?)?
            }
            state.stage = .over
            return (request, task)
        }
        ended?.1?.cancel()
    }

    /// Ends the request and calls `tell`, unless it has already ended.
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

    /// Ends the request with a failure.
    func fail(_ error: any Error) {
        end { $1?.request($0, didFailWithError: error) }
    }
}

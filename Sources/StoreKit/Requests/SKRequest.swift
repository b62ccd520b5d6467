public import Foundation
import NIOConcurrencyHelpers

/// A request to the store (https://developer.apple.com/documentation/storekit/skrequest).
///
/// A started request stays alive until it has ended; the application need not keep a reference to it.
open class SKRequest: NSObject {
    let lifecycle = RequestLifecycle()

    /// Creates an empty request.
    public override init() {
        super.init()
    }

    /// Starts the request; calling it again has no effect
    /// (https://developer.apple.com/documentation/storekit/skrequest/start()).
    open func start() {}

    /// Cancels the request; the delegate receives no more calls
    /// (https://developer.apple.com/documentation/storekit/skrequest/cancel()).
    open func cancel() {
        lifecycle.cancel()
    }
}

/// Receives the end of a request (https://developer.apple.com/documentation/storekit/skrequestdelegate).
public protocol SKRequestDelegate: NSObjectProtocol {
    /// The request succeeded
    /// (https://developer.apple.com/documentation/storekit/skrequestdelegate/requestdidfinish(_:)). Optional.
    func requestDidFinish(_ request: SKRequest)

    /// The request failed; no other call follows
    /// (https://developer.apple.com/documentation/storekit/skrequestdelegate/request(_:didfailwitherror:)). Optional.
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

extension SKRequestDelegate {
    public func requestDidFinish(_ request: SKRequest) {}

    public func request(_ request: SKRequest, didFailWithError error: any Error) {}
}

/// Lets ``SKRequest`` and ``SKProductsRequest`` have delegates of different types under the same name: the delegate of
/// ``SKRequest`` is declared here and not in the class.
public protocol _SKRequestBase: AnyObject {}

extension SKRequest: _SKRequestBase {}

extension _SKRequestBase where Self: SKRequest {
    /// The delegate, which is notified of the request's end; held weakly
    /// (https://developer.apple.com/documentation/storekit/skrequest/delegate).
    public var delegate: (any SKRequestDelegate)? {
        get { lifecycle.delegate }
        set { lifecycle.delegate = newValue }
    }
}

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

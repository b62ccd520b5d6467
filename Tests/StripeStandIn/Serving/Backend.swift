import FoundationEssentials
import NIOConcurrencyHelpers

/// The state of the stand-in. Each request is executed and written to the book under one lock.
final class Backend: Sendable {
    struct State: Sendable {
        var world: World
        var faults: [Fault] = []
        /// The idempotency keys of the requests that are executing.
        var keysInUse: Set<String> = []
        /// The ids of the objects that requests are changing.
        var lockedObjects: Set<String> = []
        /// Requests that wait until they are released.
        var held: [@Sendable () -> Void] = []
        /// The requests in the present second, per endpoint.
        var rates: [Operation: (second: Int, count: Int)] = [:]
        var baseURL = ""
    }

    private let state: NIOLockedValueBox<State>
    private let book: Book?

    init(settings: Settings, bookPath: String?) throws {
        book = try bookPath.map(Book.init)
        state = NIOLockedValueBox(State(world: try book?.load(settings) ?? World(settings)))
        change { _ in }
    }

    /// Changes the world as one transaction. What is due by now happens first.
    func change<Result>(_ body: (inout World) -> Result) -> Result {
        transact { state in body(&state.world) }
    }

    func read<Result>(_ body: (World) -> Result) -> Result {
        state.withLockedValue { body($0.world) }
    }

    private func transact<Result>(_ body: (inout State) -> Result) -> Result {
        state.withLockedValue { state in
            state.world.origin = World.Origin(
                now: state.world.settings.now(system: Int(Date().timeIntervalSince1970)),
                baseURL: state.baseURL
            )
            state.world.settle()
            let result = body(&state)
            write(&state.world)
            return result
        }
    }

    private func write(_ world: inout World) {
        guard world.areSettingsChanged || !world.changes.isEmpty else {
            return
        }
        do {
            try book?.write(world)
        } catch {
            // A book that misses what moved is worthless to a test.
            fatalError("The book cannot be written: \(error)")
        }
        world.markWritten()
    }
}

extension Backend {
    func setBaseURL(_ address: String) {
        state.withLockedValue { $0.baseURL = address }
    }

    func add(_ fault: Fault) {
        state.withLockedValue { $0.faults.append(fault) }
    }

    func clearFaults() {
        state.withLockedValue { $0.faults = [] }
    }

    func takeFault(for request: StripeRequest) -> Fault? {
        state.withLockedValue { $0.faults.take(for: request) }
    }

    func hold(_ execute: @escaping @Sendable () -> Void) {
        state.withLockedValue { $0.held.append(execute) }
    }

    var heldCount: Int {
        state.withLockedValue { $0.held.count }
    }

    /// Lets the requests arrive that wait, in order.
    func releaseHeld() {
        let held = state.withLockedValue { state in
            let held = state.held
            state.held = []
            return held
        }
        held.forEach { $0() }
    }

    /// Marks the key and the object of a request as in use. Returns false if another request uses one of them.
    func begin(_ request: StripeRequest) -> Bool {
        let (key, object) = (request.idempotencyKey, request.changedObject)
        return state.withLockedValue { state in
            guard !(key.map(state.keysInUse.contains) ?? false),
                !(object.map(state.lockedObjects.contains) ?? false)
            else {
                return false
            }
            key.map { _ = state.keysInUse.insert($0) }
            object.map { _ = state.lockedObjects.insert($0) }
            return true
        }
    }

    func end(_ request: StripeRequest) {
        state.withLockedValue { state in
            request.idempotencyKey.map { _ = state.keysInUse.remove($0) }
            request.changedObject.map { _ = state.lockedObjects.remove($0) }
        }
    }
}

extension Backend {
    /// Answers a request of the payer's browser.
    func page(_ request: StripeRequest) -> StripeAnswer? {
        change { $0.page(request) }
    }

    /// Executes a request of the API, logs it, and returns its answer.
    func execute(_ request: StripeRequest, _ fault: Fault?) -> StripeAnswer {
        transact { state in
            let isInUse = request.idempotencyKey.map(state.keysInUse.contains) ?? false
            let id = state.world.nextID("req_")
            var execution = Execution(request: request, fault: fault, isKeyInUse: isInUse, requestID: id)
            var answer = execution.run(&state)
            answer.headers["request-id"] = id
            answer.headers["stripe-version"] = request.version
            answer.headers["idempotency-key"] = request.idempotencyKey
            answer.headers.merge(fault?.headers ?? [:]) { _, last in last }
            state.world.log(
                LoggedRequest(
                    id: id,
                    method: request.method,
                    path: request.path,
                    parameters: request.fields.values,
                    idempotencyKey: request.idempotencyKey,
                    status: answer.status,
                    isReplayed: execution.isReplayed,
                    fault: fault?.name,
                    at: state.world.now
                )
            )
            return answer
        }
    }
}

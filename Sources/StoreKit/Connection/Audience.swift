import Foundation
import NIOConcurrencyHelpers

/// Whom a queue tells: its observers and its delegate, all held weakly.
// All of it is under one lock.
package final class Audience: @unchecked Sendable {
    private struct Member {
        let number: Int
        let id: ObjectIdentifier
        weak var observer: (any SKPaymentTransactionObserver)?
    }

    private struct State {
        var members: [Member] = []
        var count = 0
        /// How often a first observer has come.
        var firsts = 0
        weak var delegate: (any SKPaymentQueueDelegate)?
        weak var queue: SKPaymentQueue?
    }

    private let state = NIOLockedValueBox(State())

    var delegate: (any SKPaymentQueueDelegate)? {
        get { state.withLockedValue { $0.delegate } }
        set { state.withLockedValue { $0.delegate = newValue } }
    }

    /// Whose audience it is, as callbacks name it.
    var queue: SKPaymentQueue? {
        get { state.withLockedValue { $0.queue } }
        set { state.withLockedValue { $0.queue = newValue } }
    }

    /// The observers that are still there, in the order in which they were added.
    var observers: [any SKPaymentTransactionObserver] {
        members.compactMap(\.observer)
    }

    /// Whether there is no observer.
    var isEmpty: Bool {
        observers.isEmpty
    }

    /// Which observers there are: a number that rises whenever one comes where there was none; nil while there is none.
    var gathering: Int? {
        let (members, firsts) = state.withLockedValue { ($0.members, $0.firsts) }
        return members.contains { $0.observer != nil } ? firsts : nil
    }

    /// A copy, to be looked into without the lock: an observer that dies while it is looked at may call `remove`.
    private var members: [Member] {
        state.withLockedValue { $0.members }
    }

    /// - Returns: Whether there was none before.
    func add(_ observer: any SKPaymentTransactionObserver) -> Bool {
        let id = ObjectIdentifier(observer)
        let gone = Set(members.filter { $0.observer == nil }.map(\.number))
        return state.withLockedValue { state in
            state.members.removeAll { gone.contains($0.number) }
            let isFirst = state.members.isEmpty
            state.firsts += isFirst ? 1 : 0
            if !state.members.contains(where: { $0.id == id }) {
                state.count += 1
                state.members.append(Member(number: state.count, id: id, observer: observer))
            }
            return isFirst
        }
    }

    /// Also from the observer's `deinit`, where no reference to it may be made.
    ///
    /// - Returns: Whether that was the last.
    func remove(_ id: ObjectIdentifier) -> Bool {
        let gone = Set(members.filter { $0.observer == nil }.map(\.number))
        return state.withLockedValue { state in
            let count = state.members.count
            state.members.removeAll { $0.id == id || gone.contains($0.number) }
            return count > 0 && state.members.isEmpty
        }
    }

    func clear() {
        state.withLockedValue { state in
            state.members = []
            state.delegate = nil
        }
    }

    /// Calls every observer, unless it was removed meanwhile.
    func tell(_ call: (SKPaymentQueue, any SKPaymentTransactionObserver) -> Void) {
        guard let queue else {
            return
        }
        for observer in observers where contains(observer) {
            call(queue, observer)
        }
    }

    private func contains(_ observer: any SKPaymentTransactionObserver) -> Bool {
        let id = ObjectIdentifier(observer)
        return state.withLockedValue { $0.members.contains { $0.id == id } }
    }
}

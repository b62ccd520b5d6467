import Foundation
import NIOConcurrencyHelpers

/// A queue's observers and its delegate, all held weakly.
// A lock protects all state.
package final class ObserverList: @unchecked Sendable {
    private struct Member {
        let number: Int
        let id: ObjectIdentifier
        weak var observer: (any SKPaymentTransactionObserver)?
    }

    private struct State {
        var members: [Member] = []
        var count = 0
        /// How often a first observer was added.
        var generations = 0
        weak var delegate: (any SKPaymentQueueDelegate)?
        weak var queue: SKPaymentQueue?
    }

    private let state = NIOLockedValueBox(State())

    var delegate: (any SKPaymentQueueDelegate)? {
        get { state.withLockedValue { $0.delegate } }
        set { state.withLockedValue { $0.delegate = newValue } }
    }

    /// The queue that callbacks receive.
    var queue: SKPaymentQueue? {
        get { state.withLockedValue { $0.queue } }
        set { state.withLockedValue { $0.queue = newValue } }
    }

    /// The observers that still exist, in the order in which they were added.
    var observers: [any SKPaymentTransactionObserver] {
        members.compactMap(\.observer)
    }

    /// Whether there is no observer.
    var isEmpty: Bool {
        observers.isEmpty
    }

    /// Identifies the current group of observers: a number that increases whenever an observer is added to an empty
    /// list; nil while the list is empty.
    var generation: Int? {
        let (members, generations) = state.withLockedValue { ($0.members, $0.generations) }
        return members.contains { $0.observer != nil } ? generations : nil
    }

    /// A copy to read without the lock, because an observer that is deallocated during the loop may call `remove`.
    private var members: [Member] {
        state.withLockedValue { $0.members }
    }

    /// - Returns: Whether the list was empty before.
    func add(_ observer: any SKPaymentTransactionObserver) -> Bool {
        let id = ObjectIdentifier(observer)
        let gone = Set(members.filter { $0.observer == nil }.map(\.number))
        return state.withLockedValue { state in
            state.members.removeAll { gone.contains($0.number) }
            let isFirst = state.members.isEmpty
            state.generations += isFirst ? 1 : 0
            if !state.members.contains(where: { $0.id == id }) {
                state.count += 1
                state.members.append(Member(number: state.count, id: id, observer: observer))
            }
            return isFirst
        }
    }

    /// Takes an identifier because it is also called from the observer's `deinit`, where no reference to it may be
    /// created.
    ///
    /// - Returns: Whether it was the last observer.
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

    /// Calls every observer, unless it was removed in the meantime.
    func notify(_ call: (SKPaymentQueue, any SKPaymentTransactionObserver) -> Void) {
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

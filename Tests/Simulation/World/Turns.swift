/// The order of the commits of hosts that share a ledger: one at a time, first come, first served.
// One thread runs the whole simulation, so no two threads access this.
final class Turns: @unchecked Sendable {
    /// How long a host that stands still may hold up the commits of others.
    static let pauseMaximum = Duration.seconds(3)

    private struct Turn {
        var number: Int
        var host: Int
        var isUsed = false
    }

    private let scheduler: Scheduler
    private var turn: Turn?
    private var lastNumber = 0
    /// Turns that ended because their hosts stood still.
    private(set) var lost = 0
    private var waiting: [(host: Int, continuation: CheckedContinuation<Void, Never>)] = []

    init(scheduler: Scheduler) {
        self.scheduler = scheduler
    }

    /// Waits until it is the host's turn, or until ``end(_:)``.
    func take(_ host: Int) async {
        guard turn != nil else {
            return begin(host)
        }
        await withCheckedContinuation { waiting.append((host, $0)) }
    }

    /// Whether it is the host's turn, which from now on ends only by ``end(_:)``.
    func use(_ host: Int) -> Bool {
        guard turn?.host == host else {
            return false
        }
        turn?.isUsed = true
        return true
    }

    /// Ends the turn of a host, or its wait for one.
    func end(_ host: Int) {
        let ended = waiting.filter { $0.host == host }
        waiting.removeAll { $0.host == host }
        ended.forEach { $0.continuation.resume() }
        guard turn?.host == host else {
            return
        }
        turn = nil
        if !waiting.isEmpty {
            let next = waiting.removeFirst()
            begin(next.host)
            next.continuation.resume()
        }
    }

    private func begin(_ host: Int) {
        lastNumber += 1
        let number = lastNumber
        turn = Turn(number: number, host: host)
        scheduler.after(Self.pauseMaximum) { [self] in
            if let turn, turn.number == number, !turn.isUsed {
                lost += 1
                end(host)
            }
        }
    }
}

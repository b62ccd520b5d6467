import NIOConcurrencyHelpers

/// The activity of an attacker on all of its connections.
final class Tally: Sendable {
    struct Figures: Sendable {
        var connections = 0
        var frames = 0
        var bytesRead = 0
    }

    private let state = NIOLockedValueBox(Figures())

    var figures: Figures { state.withLockedValue { $0 } }

    func countConnection() { state.withLockedValue { $0.connections += 1 } }

    func countFrame() { state.withLockedValue { $0.frames += 1 } }

    func countBytesRead(_ count: Int) { state.withLockedValue { $0.bytesRead += count } }
}

import NIOConcurrencyHelpers
@testable import TillCommand

/// A console that records its output.
final class TestConsole: Sendable {
    final class Lines: Sendable {
        private let lines = NIOLockedValueBox<[String]>([])

        var values: [String] {
            lines.withLockedValue { $0 }
        }

        func append(_ line: String) {
            lines.withLockedValue { $0.append(line) }
        }
    }

    let output = Lines()
    let complaints = Lines()
    let console: Console

    init(environment: [String: String] = [:]) {
        console = Console(
            environment: environment,
            print: { [output] in output.append($0) },
            complain: { [complaints] in complaints.append($0) },
            waitForInterruption: Self.neverInterrupt,
            sleep: { _ in throw CancellationError() }
        )
    }

    /// Waits until the task is cancelled.
    @Sendable static func neverInterrupt() async -> TillCommand.ExitStatus {
        for await _ in AsyncStream.makeStream(of: Never.self).stream {}
        return .interrupted
    }
}

import NIOConcurrencyHelpers
import TillClient
@testable import TillCommand

/// An agent whose requests, answers and time a test controls.
final class AgentScript: Sendable {
    private struct State {
        var shown = ""
        var typed: [String?] = []
        var reader: CheckedContinuation<String?, Never>?
    }

    /// The answers that the daemon received, the printed lines, and the lines on the standard error.
    let answers = TestConsole.Lines()
    let reports = TestConsole.Lines()
    let complaints = TestConsole.Lines()
    let updates: Updates
    private let sender: AsyncStream<AuthorizationUpdate>.Continuation
    private let state = NIOLockedValueBox(State())
    private let timePasses: Bool
    private let errors: NIOLockedValueBox<[TillError]>
    private let pageError: TillError?
    /// The pages that were opened.
    let opened = TestConsole.Lines()
    /// Called with each text that the agent shows.
    private let react: @Sendable (AgentScript, String) -> Void

    /// - Parameters:
    ///   - timePasses: Whether each sleep ends at once. Otherwise it lasts until it is cancelled.
    ///   - errors: The daemon's errors for the first answers.
    ///   - pageError: The daemon's error for each page.
    init(
        timePasses: Bool = false,
        errors: [TillError] = [],
        pageError: TillError? = nil,
        react: @escaping @Sendable (AgentScript, String) -> Void
    ) {
        let (stream, sender) = AsyncStream.makeStream(of: AuthorizationUpdate.self, bufferingPolicy: .unbounded)
        updates = Updates(stream: stream)
        self.sender = sender
        self.timePasses = timePasses
        self.errors = NIOLockedValueBox(errors)
        self.pageError = pageError
        self.react = react
    }

    var shown: String {
        state.withLockedValue(\.shown)
    }

    func send(_ update: AuthorizationUpdate) {
        sender.yield(update)
    }

    func endUpdates() {
        sender.finish()
    }

    /// Types a line, or nil for the end of the input.
    func type(_ line: String?) {
        let reader = state.withLockedValue { state in
            let reader = state.reader
            state.reader = nil
            if reader == nil {
                state.typed.append(line)
            }
            return reader
        }
        reader?.resume(returning: line)
    }

    func agent(_ policy: Agent.Policy, isOnce: Bool = false) -> Agent {
        var console = Console(
            environment: [:],
            print: { _ in },
            complain: { [complaints] in complaints.append($0) },
            waitForInterruption: { .interrupted },
            sleep: { [timePasses] _ in
                guard timePasses else {
                    for await _ in AsyncStream.makeStream(of: Never.self).stream {}
                    throw CancellationError()
                }
            }
        )
        console.show = { text in
            self.state.withLockedValue { $0.shown += text }
            self.react(self, text)
        }
        console.readLine = { await self.readLine() }
        return Agent(
            policy: policy,
            isOnce: isOnce,
            console: console,
            answer: { [answers, errors] (request, approves) async throws(TillError) in
                answers.append("\(request.id.text.suffix(1)) \(approves)")
                if let error = errors.withLockedValue({ $0.isEmpty ? nil : $0.removeFirst() }) {
                    throw error
                }
            },
            page: { [pageError] (request) async throws(TillError) in
                if let pageError {
                    throw pageError
                }
                return "https://pay.example/\(request.id.text.suffix(1))"
            },
            open: { [opened] in opened.append($0) },
            report: { [reports] in reports.append($0.text) }
        )
    }

    private func readLine() async -> String? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let line: String?? = state.withLockedValue { state in
                    if !state.typed.isEmpty {
                        return .some(state.typed.removeFirst())
                    }
                    state.reader = continuation
                    return nil
                }
                if let line {
                    continuation.resume(returning: line)
                } else if Task.isCancelled {
                    type(nil)
                }
            }
        } onCancel: {
            let reader = state.withLockedValue { state in
                let reader = state.reader
                state.reader = nil
                return reader
            }
            reader?.resume(returning: nil)
        }
    }

    /// The updates of a scripted connection.
    struct Updates: AsyncSequence, Sendable {
        let stream: AsyncStream<AuthorizationUpdate>

        func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(base: stream.makeAsyncIterator())
        }

        struct AsyncIterator: AsyncIteratorProtocol {
            var base: AsyncStream<AuthorizationUpdate>.AsyncIterator

            mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(TillError) -> AuthorizationUpdate? {
                await base.next(isolation: actor)
            }

            mutating func next() async throws(TillError) -> AuthorizationUpdate? {
                try await next(isolation: #isolation)
            }
        }
    }
}

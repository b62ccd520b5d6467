import Testing
@testable import TillCommand

@Suite(.timeLimit(.minutes(1))) struct ConsoleTests {
    @Test func whatEndsByItselfIsNotInterrupted() async throws {
        var console = TestConsole().console
        console.waitForInterruption = Self.waitForCancellation
        #expect(try await console.untilInterrupted {})
    }

    @Test func anInterruptionEndsTheWait() async throws {
        let console = TestConsole().console
        #expect(try await !console.untilInterrupted(Self.waitForCancellation))
    }

    @Test func anErrorIsNoInterruption() async {
        var console = TestConsole().console
        console.waitForInterruption = Self.waitForCancellation
        await #expect(throws: CommandFailure(.fault, "Broken.")) {
            try await console.untilInterrupted { throw CommandFailure(.fault, "Broken.") }
        }
    }

    @Test func whatIsNoTerminalHasNoLinesToRead() {
        #expect(TerminalInput(descriptor: -1) == nil)
    }

    @Sendable private static func waitForCancellation() async {
        for await _ in AsyncStream.makeStream(of: Never.self).stream {}
    }
}

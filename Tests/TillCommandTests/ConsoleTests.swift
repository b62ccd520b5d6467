import Testing
@testable import TillCommand

@Suite(.timeLimit(.minutes(1))) struct ConsoleTests {
    @Test func whatEndsByItselfIsNotInterrupted() async throws {
        #expect(try await TestConsole().console.untilInterrupted {} == nil)
    }

    @Test(arguments: [TillCommand.ExitStatus.interrupted, .terminated, .unread])
    func anInterruptionEndsTheWaitWithItsStatus(status: TillCommand.ExitStatus) async throws {
        var console = TestConsole().console
        console.waitForInterruption = { status }
        #expect(try await console.untilInterrupted { _ = await TestConsole.neverInterrupt() } == status)
    }

    @Test func anErrorIsNoInterruption() async {
        await #expect(throws: CommandFailure(.fault, "Broken.")) {
            try await TestConsole().console.untilInterrupted { throw CommandFailure(.fault, "Broken.") }
        }
    }

    @Test func whatIsNoTerminalHasNoLinesToRead() {
        #expect(TerminalInput(descriptor: -1) == nil)
    }
}

import Testing
@testable import TillCommand

@Suite(.timeLimit(.minutes(1))) struct ConsoleTests {
    @Test func aCompletedBodyIsNotInterrupted() async throws {
        #expect(try await TestConsole().console.untilInterrupted {} == nil)
    }

    @Test(arguments: [TillCommand.ExitStatus.interrupted, .terminated, .unread])
    func anInterruptionEndsTheWaitWithItsStatus(status: TillCommand.ExitStatus) async throws {
        var console = TestConsole().console
        console.waitForInterruption = { status }
        #expect(try await console.untilInterrupted { _ = await TestConsole.neverInterrupt() } == status)
    }

    @Test func anErrorIsNotAnInterruption() async {
        await #expect(throws: CommandFailure(.fault, "Broken.")) {
            try await TestConsole().console.untilInterrupted { throw CommandFailure(.fault, "Broken.") }
        }
    }

    @Test func onlyATerminalHasLinesToRead() {
        #expect(TerminalInput(descriptor: -1) == nil)
    }
}

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

    @Test(arguments: [
        ("https://pay.example/1", true), ("http://127.0.0.1:8080/", true), ("file:///etc/passwd", false),
        ("/etc/passwd", false), ("", false),
    ])
    func onlyAPageOfTheWebIsOpened(address: String, isOpened: Bool) {
        let opened = TestConsole.Lines()
        TestConsole().console.open(page: address) { opened.append($0) }
        #expect(opened.values == (isOpened ? [address] : []))
    }

    @Test func aPageThatIsNotOpenedIsNoError() {
        let test = TestConsole()
        test.console.open(page: "https://pay.example/1") { _ in throw CommandFailure(.fault, "No browser.") }
        #expect(test.complaints.values.count == 1)
        #expect(test.complaints.values.first?.hasPrefix("till: The page was not opened: ") == true)
    }

    @Test func onlyATerminalHasLinesToRead() {
        #expect(TerminalInput(descriptor: -1) == nil)
    }
}

import Testing

@testable import TTRPC

@Suite struct ReadPauseTests {
    @Test func readingStopsAtTheLimitAndResumesOnceAMessageWasRead() {
        var pause = ReadPause()
        for _ in 1..<ReadPause.unreadMaximum {
            pause.add(1)
        }
        expectMayRead(&pause, true)
        pause.add(1)
        expectMayRead(&pause, false)
        let isDue = [pause.read(1), pause.read(1)]
        #expect(isDue == [true, false], "only the read that was held back is due")
        expectMayRead(&pause, true)
    }

    @Test func anotherStreamsMessagesDoNotResumeReading() {
        var pause = ReadPause()
        pause.add(2)
        for _ in 0..<ReadPause.unreadMaximum {
            pause.add(1)
        }
        expectMayRead(&pause, false)
        let isDue = [pause.read(2), pause.read(3), pause.remove(2), pause.remove(3)]
        #expect(isDue == [false, false, false, false])
    }

    @Test func anAbandonedStreamResumesReading() {
        var pause = ReadPause()
        for _ in 0..<ReadPause.unreadMaximum {
            pause.add(1)
        }
        expectMayRead(&pause, false)
        let isDue = [pause.remove(1), pause.remove(1)]
        #expect(isDue == [true, false])
        expectMayRead(&pause, true)
    }

    private func expectMayRead(_ pause: inout ReadPause, _ expected: Bool) {
        let mayRead = pause.mayRead()
        #expect(mayRead == expected)
    }
}

import Foundation
import Testing
@testable import TillCommand

@Suite struct LineWriterTests {
    @Test func linesAreWrittenWholeAndAtOnce() throws {
        let pipe = Pipe()
        let writer = LineWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        try writer.write("one ×2")
        #expect(pipe.fileHandleForReading.availableData == Data("one ×2\n".utf8))
        #expect(writer.hasReader)
    }

    @Test func aFullDiskIsAnOutputError() throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let writer = LineWriter(descriptor: full.fileDescriptor)
        let failure = #expect(throws: CommandFailure.self) { try writer.write("x") }
        #expect(failure?.status == .outputFailed)
        #expect(failure?.message == "The output cannot be written: No space left on device.")
    }

    @Test func aClosedPipeIsNoticed() throws {
        let pipe = Pipe()
        let writer = LineWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        try pipe.fileHandleForReading.close()
        #expect(!writer.hasReader)
    }
}

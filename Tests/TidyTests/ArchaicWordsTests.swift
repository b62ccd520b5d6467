import Foundation
import Testing

/// The repository's text is in plain, modern English, as far as a list of words tells.
@Suite struct ArchaicWordsTests {
    @Test func noFileHasAnArchaicWord() throws {
        let (status, output) = try Self.check()
        #expect(status == 0, "\n\(output)\nSee .ci/archaic-words.")
    }

    @Test(arguments: [
        "Whoever waits", "meanwhile,", "It begins anew.", "kept for ever", "for want of room", "waits in vain",
        "It asks once more", "none that it knows", "a key stands twice", "The key at hand", "it goes on", "is gone on",
        "the file is no directory", "\\(text) is no level", "it is none", "what becomes of it", "all but for two",
        "It makes no transactions",
    ])
    func anArchaicWordIsFound(in text: String) throws {
        let (status, output) = try Self.check(text)
        #expect(status == 1)
        #expect(output.contains("write "), "\(output)")
    }

    @Test(arguments: [
        "There is no file", "it is no longer served", "it is no more than a second", "nil when there is none",
        "once it has more", "make no difference", "a meanwhiled thing", "what goes on the wire", "the one at the hand",
    ])
    func plainEnglishIsNotRefused(in text: String) throws {
        let (status, output) = try Self.check(text)
        #expect(status == 0, "\(output)")
    }

    /// Runs the check on the repository, or on a text.
    private static func check(_ text: String? = nil) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = Repository.root.appending(path: ".ci/archaic-words")
        process.arguments = text == nil ? [] : ["-"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data((text ?? "").utf8))
        try input.fileHandleForWriting.close()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: printed, as: UTF8.self))
    }
}

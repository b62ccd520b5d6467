import Foundation
import Glibc
import Testing
@testable import TillCommand

@Suite final class OutputFileTests {
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    private func path(_ name: String) -> String {
        directory.appending(path: name).path
    }

    /// Creates a file in the test's directory.
    private func file(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
        return path(name)
    }

    private func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func aFileIsReplacedOrTheErrorIsReported() throws {
        let path = try file("out", "a longer text")
        try OutputFile(path: path).write("b".utf8)
        #expect(text(path) == "b")
        try OutputFile(path: self.path("new")).write("c".utf8)
        #expect(text(self.path("new")) == "c")
        let failure = #expect(throws: CommandFailure.self) {
            try OutputFile(path: self.path("none/out")).write("b".utf8)
        }
        #expect(failure?.status == .outputFailed)
        #expect(failure?.message == "\(self.path("none/out")) cannot be written: No such file or directory.")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["new", "out"])
    }

    @Test func aReplacedFileKeepsItsModeAndOwner() throws {
        let path = try file("out", "a longer text")
        let owner: uid_t = geteuid() == 0 ? 65534 : geteuid()
        #expect(unsafe chown(path, owner, getegid()) == 0)
        #expect(unsafe chmod(path, 0o640) == 0)
        let before = try FileStatus(path)
        try OutputFile(path: path).write("b".utf8)
        let after = try FileStatus(path)
        #expect(text(path) == "b")
        #expect(after.mode == S_IFREG | 0o640)
        #expect(after.owner == owner)
        #expect(after.node != before.node, "the file was not replaced as a whole")
    }

    @Test func aLinkStaysAndItsTargetIsWritten() throws {
        let link = path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "target")
        try OutputFile(path: link).write("made".utf8)
        #expect(text(path("target")) == "made")
        try OutputFile(path: link).write("replaced".utf8)
        #expect(text(path("target")) == "replaced")
        #expect(try FileStatus(link).type == S_IFLNK)
    }

    /// The path is a link, so that a failing test does not replace the device.
    @Test func aDeviceIsWrittenInPlace() throws {
        let link = path("full")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/full")
        let failure = #expect(throws: CommandFailure.self) { try OutputFile(path: link).write("b".utf8) }
        #expect(failure?.status == .outputFailed)
        #expect(failure?.message == "\(link) cannot be written: No space left on device.")
        #expect(try FileStatus(link).type == S_IFLNK)
    }

    @Test func aFIFOIsWrittenInPlace() throws {
        let fifo = path("fifo")
        #expect(unsafe mkfifo(fifo, 0o600) == 0)
        let descriptor = unsafe open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try #require(descriptor >= 0)
        let reader = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try OutputFile(path: fifo).write("b".utf8)
        #expect(try reader.readToEnd() == Data("b".utf8))
        #expect(try FileStatus(fifo).type == S_IFIFO)
    }

    @Test(arguments: ["/dev/fd", "/proc/self/fd"])
    func aDescriptorIsWrittenAtItsOffset(names: String) throws {
        let path = try file("out", "")
        let output = try FileHandle(forWritingTo: URL(filePath: path))
        try output.write(contentsOf: Data("a".utf8))
        try OutputFile(path: "\(names)/\(output.fileDescriptor)").write("b".utf8)
        try output.write(contentsOf: Data("c".utf8))
        try output.close()
        #expect(text(path) == "abc")
    }
}

import CrashStates
import Testing

@Suite struct DiskWalkTests {
    private static let open = #"openat(AT_FDCWD, "/s", O_RDONLY|O_DIRECTORY) = 3"#
    private static let create = #"openat(AT_FDCWD, "/s/a", O_RDWR|O_CREAT, 0600) = 4"#

    @Test func onlyFlushedChangesAreCertain() throws {
        let trace = try Trace(
            Self.open,
            Self.create,
            #"pwrite64(4, "ab", 2, 0) = 2"#,
            #"fsync(4) = 0"#,
            #"fsync(3) = 0"#,
            #"pwrite64(4, "xyz", 3, 1) = 3"#
        )
        #expect(trace.disk(after: 3, .flushed) == [:])
        #expect(trace.disk(after: 4, .flushed) == [:])
        #expect(trace.disk(after: 5, .flushed) == ["a": "ab"])
        #expect(trace.disk(.flushed) == ["a": "ab"])
        #expect(trace.disk(.written) == ["a": "axyz"])
    }

    @Test func aFlushThatFailedMakesNothingCertain() throws {
        let trace = try Trace(
            Self.open,
            Self.create,
            #"fsync(3) = 0"#,
            #"write(4, "ab", 2) = 2"#,
            #"fdatasync(4) = -1 EIO (Input/output error)"#
        )
        #expect(trace.disk(.flushed) == ["a": ""])
    }

    @Test func aWriteUnderWayAtTheStartOfAFlushIsNotCertain() throws {
        let lines = [
            "7 " + Self.open, "7 " + Self.create, "7 fsync(3) = 0", #"8 pwrite64(4, "ab", 2, 0 <unfinished ...>"#,
            "7 fsync(4 <unfinished ...>", "8 <... pwrite64 resumed>) = 2", "7 <... fsync resumed>) = 0",
            "7 +++ exited with 0 +++",
        ]
        let calls = try SystemCall.calls(ofTrace: .init(lines.joined(separator: "\n").utf8))
        var walk = DiskWalk(try OperationLog(lives: [.init(calls: calls.calls, end: calls.end)], root: Trace.root))
        walk.advance(to: calls.end)
        #expect(walk.state(Variant(.flushed, .strict))["a"] == [])
        #expect(walk.state(Variant(.written, .strict))["a"] == Array("ab".utf8))
    }

    @Test func aFileIsWrittenWhereItsOffsetIs() throws {
        let trace = try Trace(
            Self.create,
            #"write(4, "abc", 3) = 3"#,
            #"lseek(4, 1, SEEK_SET) = 1"#,
            #"dup(4) = 5"#,
            #"write(5, "xx", 2) = 1"#,
            #"write(4, "y", 1) = 1"#,
            #"openat(AT_FDCWD, "/s/a", O_WRONLY|O_APPEND) = 6"#,
            #"write(6, "z", 1) = 1"#
        )
        #expect(trace.disk(.written) == ["a": "axyz"])
    }

    @Test func sectorsAreOldOrNewOneByOne() throws {
        let trace = try Trace(
            Self.open,
            Self.create,
            #"pwrite64(4, "aabb", 4, 0) = 4"#,
            #"fsync(4) = 0"#,
            #"fsync(3) = 0"#,
            #"pwrite64(4, "ccdd", 4, 0) = 4"#
        )
        #expect(
            trace.disks(sector: 2, .strict) == [["a": "aabb"], ["a": "ccbb"], ["a": "aadd"], ["a": "ccdd"]]
        )
    }

    @Test func aLaterWriteOfASectorComesWithTheEarlierOne() throws {
        let trace = try Trace(
            Self.open,
            Self.create,
            #"pwrite64(4, "..", 2, 0) = 2"#,
            #"fsync(4) = 0"#,
            #"fsync(3) = 0"#,
            #"pwrite64(4, "1", 1, 0) = 1"#,
            #"pwrite64(4, "2", 1, 1) = 1"#
        )
        #expect(trace.disks(sector: 2, .strict) == [["a": ".."], ["a": "1."], ["a": "12"]])
    }

    @Test func aCutFileHasNoBytesFromBothSidesOfTheCut() throws {
        let trace = try Trace(
            Self.open,
            Self.create,
            #"pwrite64(4, "abcd", 4, 0) = 4"#,
            #"fsync(4) = 0"#,
            #"fsync(3) = 0"#,
            #"ftruncate(4, 0) = 0"#,
            #"pwrite64(4, "xy", 2, 0) = 2"#
        )
        let disks = trace.disks(sector: 1, .strict)
        #expect(disks == [["a": "abcd"], ["a": ""], ["a": "xy"], ["a": "\0y"], ["a": "x\0"], ["a": "\0\0"]])
    }

    @Test func aNewNameIsCertainOnceItsDirectoryIs() throws {
        let trace = try Trace(
            Self.open,
            Self.create,
            #"pwrite64(4, "ab", 2, 0) = 2"#,
            #"fsync(4) = 0"#,
            #"renameat(3, "a", 3, "b") = 0"#,
            #"fsync(3) = 0"#
        )
        #expect(trace.disk(after: 5, .flushed, .strict) == [:])
        #expect(trace.disk(after: 5, .flushed, .journal) == ["a": "ab"])
        #expect(trace.disk(after: 6, .flushed, .strict) == ["b": "ab"])
        #expect(trace.disk(after: 6, .flushed, .journal) == ["b": "ab"])
    }

    @Test func aMoveIsNeverHalfLost() throws {
        let trace = try Trace(
            Self.open,
            #"mkdirat(3, "d", 0700) = 0"#,
            #"openat(3, "d", O_RDONLY|O_DIRECTORY) = 5"#,
            #"openat(3, "a", O_RDWR|O_CREAT, 0600) = 4"#,
            #"fsync(3) = 0"#,
            #"renameat(3, "a", 5, "b") = 0"#
        )
        let both = ["a": "", "d/": "", "d/b": ""]
        #expect(trace.disks(sector: 512, .strict) == [["a": "", "d/": ""], both, ["d/": "", "d/b": ""]])
        #expect(trace.disks(sector: 512, .journal) == [["a": "", "d/": ""], ["d/": "", "d/b": ""]])
    }

    @Test func theNextDaemonContinuesWithTheFiles() throws {
        let trace = try Trace(lives: [
            [Self.create, #"write(4, "ab", 2) = 2"#],
            [
                Self.open, #"openat(3, "a", O_RDWR) = 4"#, #"pwrite64(4, "c", 1, 2) = 1"#, "fsync(4) = 0",
                "fsync(3) = 0",
            ],
        ])
        #expect(trace.disk(.flushed) == ["a": "abc"])
        #expect(trace.log.lives.count == 2)
    }

    @Test(arguments: [(Array("ab".utf8), "ab"), (Array("a".utf8), "a"), ([], "")])
    func anInterruptedWriteHappenedIfItsBytesAreInTheFile(_ left: [UInt8], _ written: String) throws {
        let text = "7 \(Self.create)\n7 write(4, \"ab\", 2 <unfinished ...>\n7 +++ killed by SIGKILL +++\n"
        let (calls, end) = try SystemCall.calls(ofTrace: .init(text.utf8))
        let life = OperationLog.Life(calls: calls, end: end) { $0 == "a" ? .file(left) : nil }
        var walk = DiskWalk(try OperationLog(lives: [life], root: Trace.root))
        walk.advance(to: end)
        #expect(walk.state(Variant(.written, .strict))["a"] == Array(written.utf8))
    }

    /// The next daemon makes `b`, whether or not the call took effect during which the first was killed.
    @Test(arguments: [
        (#"unlink("/s/a")"#, [], ["b"]), (#"unlink("/s/a")"#, ["a"], ["a", "b"]),
        (#"rename("/s/a", "/s/c")"#, ["c"], ["b", "c"]), (#"rename("/s/a", "/s/c")"#, ["a"], ["a", "b"]),
        (#"mkdir("/s/d", 0700)"#, ["a", "d"], ["a", "b", "d"]), (#"mkdir("/s/d", 0700)"#, ["a"], ["a", "b"]),
    ])
    func anInterruptedRenameHappenedIfTheNameChanged(
        _ call: String,
        _ left: [String],
        _ names: [String]
    ) throws {
        let unfinished = call.dropLast() + " <unfinished ...>"
        let text = "7 \(Self.create)\n7 \(unfinished)\n7 +++ killed by SIGKILL +++\n"
        let (calls, end) = try SystemCall.calls(ofTrace: .init(text.utf8))
        let first = OperationLog.Life(calls: calls, end: end) { left.contains($0) ? .file([]) : nil }
        let made = #"7 openat(AT_FDCWD, "/s/b", O_RDWR|O_CREAT, 0600) = 4"# + "\n7 +++ exited with 0 +++\n"
        let (others, otherEnd) = try SystemCall.calls(ofTrace: .init(made.utf8))
        let log = try OperationLog(lives: [first, .init(calls: others, end: otherEnd)], root: Trace.root)
        var walk = DiskWalk(log)
        walk.advance(to: log.end)
        #expect(walk.state(Variant(.written, .strict)).items.map(\.path).sorted() == names)
    }

    @Test(
        arguments: [
            #"mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_SHARED, 4, 0) = 0x7f0000000000"#, "sync() = 0",
            #"fallocate(4, FALLOC_FL_PUNCH_HOLE|FALLOC_FL_KEEP_SIZE, 0, 1) = 0"#,
            #"copy_file_range(4, NULL, 4, NULL, 5, 0) = 5"#, #"symlink("/x", "/s/b") = 0"#,
            #"rename("/s/a", "/elsewhere") = 0"#, #"io_uring_setup(8, {flags=0}) = 9"#,
        ]
    )
    func unsupportedCallsAreRefused(_ line: String) {
        #expect(throws: TraceError.self) { try Trace(Self.create, line) }
    }

    @Test func theIndexOfTheLogIsNotPartOfTheDisk() throws {
        let trace = try Trace(
            #"openat(AT_FDCWD, "/s/a-shm", O_RDWR|O_CREAT, 0600) = 4"#,
            #"mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_SHARED, 4, 0) = 0x7f0000000000"#,
            #"unlink("/s/a-shm") = 0"#
        )
        #expect(trace.disk(.begun) == [:])
    }
}

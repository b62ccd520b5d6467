import CrashStates
import Foundation
import Testing

@Suite struct TraceTests {
    private static func calls(_ lines: String...) throws -> [SystemCall] {
        let text = lines.joined(separator: "\n") + "\n7 +++ exited with 0 +++\n"
        return try SystemCall.calls(ofTrace: Data(text.utf8)).calls
    }

    @Test(
        arguments: [
            (
                #"fsync(5)  = -1 (errno 18446744073709551282)"#,
                SystemCall("fsync", [.number(5)], result: nil, begin: 0, end: nil)
            ),
            // The process was killed before strace had the result.
            (
                #"pwrite64(5, "a", 1, 9 <detached ...>"#,
                SystemCall(
                    "pwrite64",
                    [.number(5), .bytes([97]), .number(1), .number(9)],
                    result: nil,
                    begin: 0,
                    end: nil
                )
            ),
            (#"fsync(5)  = 0"#, SystemCall("fsync", [.number(5)], result: 0, begin: 0, end: 1)),
            (
                #"write(5, "a\0\"\\\n\3011\377", 8) = 8"#,
                SystemCall(
                    "write",
                    [.number(5), .bytes([97, 0, 34, 92, 10, 193, 49, 255]), .number(8)],
                    result: 8,
                    begin: 0,
                    end: 1
                )
            ),
            (
                #"writev(5, [{iov_base="ab", iov_len=2}, {iov_base="c", iov_len=1}], 2) = 3"#,
                SystemCall(
                    "writev",
                    [
                        .number(5),
                        .list([
                            .fields([field("iov_base", .bytes([97, 98])), field("iov_len", .number(2))]),
                            .fields([field("iov_base", .bytes([99])), field("iov_len", .number(1))]),
                        ]), .number(2),
                    ],
                    result: 3,
                    begin: 0,
                    end: 1
                )
            ),
            (
                #"openat(AT_FDCWD, "/a", O_RDWR|O_CREAT, 0600) = -1 ENOENT (No such file or directory)"#,
                SystemCall(
                    "openat",
                    [.symbol("AT_FDCWD"), .bytes([47, 97]), .symbol("O_RDWR|O_CREAT"), .number(600)],
                    result: -1,
                    begin: 0,
                    end: 1
                )
            ),
            (
                #"openat2(4, "a", {flags=O_RDONLY|O_CLOEXEC, resolve=RESOLVE_BENEATH}, 24) = 9"#,
                SystemCall(
                    "openat2",
                    [
                        .number(4), .bytes([97]),
                        .fields([
                            field("flags", .symbol("O_RDONLY|O_CLOEXEC")), field("resolve", .symbol("RESOLVE_BENEATH")),
                        ]), .number(24),
                    ],
                    result: 9,
                    begin: 0,
                    end: 1
                )
            ),
            (
                #"accept4(5, {sa_family=AF_UNIX}, [112 => 2], SOCK_NONBLOCK) = 20"#,
                SystemCall(
                    "accept4",
                    [
                        .number(5), .fields([field("sa_family", .symbol("AF_UNIX"))]), .list([.symbol("112 => 2")]),
                        .symbol("SOCK_NONBLOCK"),
                    ],
                    result: 20,
                    begin: 0,
                    end: 1
                )
            ),
            (#"fsync(5)  = ?"#, SystemCall("fsync", [.number(5)], result: nil, begin: 0, end: nil)),
        ]
    )
    func aLineIsACall(_ line: String, _ call: SystemCall) throws {
        #expect(try Self.calls("7 " + line) == [call])
    }

    private static func field(_ name: String, _ value: TraceValue) -> TraceValue.Field {
        TraceValue.Field(name: name, value: value)
    }

    @Test func linesInBetweenShowWhenACallReturned() throws {
        let calls = try Self.calls(
            #"7 read(4,  <unfinished ...>"#,
            #"8 fsync(5) = 0"#,
            #"7 <... read resumed>"ab", 9) = 2"#,
            #"8 write(5, "c", 1 <unfinished ...>"#
        )
        #expect(calls.map(\.name) == ["read", "fsync", "write"])
        #expect(calls.map(\.begin) == [0, 2, 6])
        #expect(calls.map(\.end) == [5, 3, nil])
        #expect(calls[0].arguments == [.number(4), .bytes([97, 98]), .number(9)])
    }

    @Test(
        arguments: [
            "", "7 fsync(5) = 0", "x fsync(5) = 0\n7 +++ exited with 0 +++", "7 fsync(5 = 0\n7 +++ exited with 0 +++",
            "7 write(5, \"a\"..., 9) = 9\n7 +++ exited with 0 +++", "7 <... read resumed>) = 0\n7 +++ killed +++",
            "7 fsync(5) = 0\n8 +++ exited with 0 +++", "7 write(5, \"\\q\", 1) = 1\n7 +++ exited with 0 +++",
        ]
    )
    func incompleteTracesAreRefused(_ text: String) {
        #expect(throws: TraceError.self) { try SystemCall.calls(ofTrace: Data(text.utf8)) }
    }
}

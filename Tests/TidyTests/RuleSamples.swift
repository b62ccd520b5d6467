import Testing

/// Texts of a file that break a rule, and texts that keep it.
struct RuleSample: Sendable, CustomTestStringConvertible {
    var rule: Rule
    var path = "Sources/TillEngine/A.swift"
    var breaking: [String]
    var keeping: [String] = []

    var testDescription: String {
        "\(rule.testDescription) (\(path))"
    }

    static let all = form + safety + concurrency + structure + texts

    private static let form = [
        RuleSample(rule: .fileLength, breaking: [lines(401)], keeping: [lines(400)]),
        RuleSample(rule: .fileLength, path: "Sources/A/a.pb.swift", breaking: [], keeping: [lines(401)]),
        RuleSample(rule: .fileLength, path: "Tests/A/A.swift", breaking: [lines(601)], keeping: [lines(600)]),
        RuleSample(
            rule: .functionLength,
            breaking: [
                "func a() {\n\(lines(69))}\n",
                "    package init(\n        a: Int\n    ) throws(E)\n        where A: B\n    {\n\(lines(66))    }\n",
                "    var a: Int {\n\(lines(69))    }\n",
                "struct A {\n    @B(c) private static func a(b: () -> Void = {}) -> [Int] {\n\(lines(69))    }\n}\n",
            ],
            keeping: [
                "func a() {\n\(lines(68))}\n",
                "protocol A {\n    func a()\n    var b: Int { get }\n}\nstruct B {\n\(lines(80))}\n",
                "/* func a() { */\n\(lines(80))// }\n",
            ]
        ),
        RuleSample(rule: .fileEnd, breaking: ["let a = 1", "let a = 1\n\n", ""], keeping: ["let a = 1\n"]),
        RuleSample(rule: .noTabs, breaking: ["\tlet a = 1\n"], keeping: ["    let a = 1\n"]),
        RuleSample(rule: .noTabs, path: "Makefile", breaking: [], keeping: ["\tmake\n"]),
        RuleSample(rule: .fileNames, path: "Sources/TTRPC/ByteUtils.swift", breaking: [""]),
        RuleSample(rule: .fileNames, path: "Tests/TTRPCTests/TestHelper.swift", breaking: [""]),
        RuleSample(rule: .fileNames, path: "Sources/TTRPC/QueueManager.swift", breaking: [""]),
        RuleSample(rule: .fileNames, path: "Sources/TTRPC/String+Extensions.swift", breaking: [""]),
        RuleSample(rule: .fileNames, path: "Sources/TTRPC/String+Field.swift", breaking: [], keeping: [""]),
    ]

    private static let safety = [
        RuleSample(
            rule: .noForce,
            breaking: [
                "let a = try! b()\n", "let a = b as! C\n", "let a = b!\n", "b()!.c()\n", "b[0]!\n", "a?.b!.c\n",
                "let a: B!\n", "let a = \"\\(b!)\"\n", "let a: [B]!\n",
            ],
            keeping: [
                "if !a, a != b, a! != b {}\n".replacing("a! ", with: "a "), "// b! try! as!\n", "let a = \"b! try!\"\n",
                "let a = \"\"\"\n    b!\n    \"\"\"\n", "let a = #\"\\(b!)\"#\n", "/* /* */ b! */\n",
            ]
        ),
        RuleSample(rule: .noForce, path: "Tests/TTRPCTests/A.swift", breaking: [], keeping: ["let a = b!\n"]),
        RuleSample(rule: .noFatalError, breaking: ["fatalError()\n"], keeping: ["// fatalError()\n"]),
        RuleSample(
            rule: .provenUnchecked,
            breaking: [
                "struct A: @unchecked Sendable {}\n", "// Why.\n\nstruct A: @unchecked Sendable {}\n",
                "nonisolated(unsafe) let a = 1\n",
            ],
            keeping: [
                "// Locked.\nstruct A: @unchecked Sendable {}\n",
                "    // Set once.\n    nonisolated(unsafe) let a = 1\n",
            ]
        ),
        RuleSample(
            rule: .pointers,
            breaking: [
                "let a: UnsafeMutablePointer<Int>\n", "let a: UnsafeRawPointer\n", "withUnsafeBytes(of: a) { _ in }\n",
            ],
            keeping: ["/// An `UnsafePointer`.\n", "let a = unsafe b\n"]
        ),
        RuleSample(
            rule: .pointers,
            path: "Sources/ProtobufCodec/Arena.swift",
            breaking: [],
            keeping: ["let a: UnsafeRawPointer\n"]
        ),
    ]

    private static let concurrency = [
        RuleSample(
            rule: .noTasks,
            breaking: [
                "Task { await a() }\n", "let a = Task<Void, Never> {\n", "Task.detached { a() }\n",
                "Task(priority: .low) {\n",
                "Task.immediate { a() }\n", "Task.detached(priority: nil) {\n",
            ],
            keeping: [
                "while !Task.isCancelled {\n", "await withTaskGroup(of: Void.self) { group in\n",
                "try Task.checkCancellation()\n",
            ]
        ),
        RuleSample(
            rule: .noTasks,
            path: "Sources/TillClient/Connection/DaemonSession.swift",
            breaking: [],
            keeping: ["Task { a() }\n"]
        ),
        RuleSample(rule: .noTasks, path: "Sources/tilld/Tilld.swift", breaking: [], keeping: ["Task { a() }\n"]),
        RuleSample(
            rule: .noSleeps,
            path: "Tests/TTRPCTests/A.swift",
            breaking: [
                "try await Task.sleep(for: .seconds(1))\n", "sleep(1)\n", "    usleep(10)\n", "nanosleep(a, b)\n",
                "Thread.sleep(forTimeInterval: 1)\n", "try await ContinuousClock().sleep(for: a)\n",
                "queue.asyncAfter(deadline: .now()) {}\n",
            ],
            keeping: ["func sleep(for duration: Duration) {}\n", "try await virtual.sleep(for: a)\n", "// sleep(1)\n"]
        ),
        RuleSample(
            rule: .boundedStreams,
            breaking: [
                "let a = AsyncStream.makeStream(of: Int.self)\n", "AsyncStream<Int> { a in\n",
                "AsyncThrowingStream<Int, any Error>.makeStream()\n", "AsyncStream(Int.self) { a in\n",
            ],
            keeping: [
                "AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))\n",
                "AsyncThrowingStream.makeStream(\n    of: Int.self,\n    bufferingPolicy: .bufferingOldest(1)\n)\n",
                "AsyncStream(unfolding: a)\n", "let a: AsyncStream<Int>\n", "AsyncStream.makeStream(of: Never.self)\n",
            ]
        ),
    ]

    private static let structure = [
        RuleSample(
            rule: .importsPointUp,
            breaking: [
                "import TTRPC\n", "import NIOCore\n", "package import GRDB\n", "@testable import TillService\n",
                "import struct TillWire.A\n", "@_exported public import TillClient\n", "import CProtobufC\n",
            ],
            keeping: [
                "import TillModel\n", "package import FoundationEssentials\n", "// import TTRPC\n", "import Logging\n",
            ]
        ),
        RuleSample(rule: .importsPointUp, path: "Sources/Nowhere/A.swift", breaking: ["import TillModel\n"]),
        RuleSample(rule: .importsPointUp, path: "Tests/TTRPCTests/A.swift", breaking: [], keeping: ["import GRDB\n"]),
        RuleSample(
            rule: .publicIsForProducts,
            breaking: [
                "public struct A {}\n", "public import TillModel\n", "open class A {}\n", "    public var a = 1\n",
            ],
            keeping: [
                "package struct A {}\n", "/// A public value.\n", "let text = \"public value\"\n",
                "func open(a: Int) {}\n",
            ]
        ),
        RuleSample(
            rule: .publicIsForProducts,
            path: "Sources/TTRPC/A.swift",
            breaking: [],
            keeping: ["public struct A {}\n"]
        ),
        RuleSample(
            rule: .sqlIsInLedgers,
            breaking: [
                "let a = \"SELECT * FROM b\"\n", "let a = \"INSERT INTO b\"\n", "let a = \"INSERT OR IGNORE INTO b\"\n",
                "let a = \"UPDATE b SET c\"\n", "DELETE FROM b\n", "CREATE TABLE b (\n", "PRAGMA journal_mode\n",
            ],
            keeping: ["let a = \"select a product from the list\"\n", "// UPDATED to a SET\n"]
        ),
        RuleSample(
            rule: .sqlIsInLedgers,
            path: "Sources/TillSQL/A.swift",
            breaking: [],
            keeping: ["let a = \"SELECT * FROM b\"\n"]
        ),
    ]

    private static let texts = [
        RuleSample(
            rule: .noReminders,
            path: "Makefile",
            breaking: ["# TODO: a\n", "# FIXME\n", "// XXX\n", "# HACK a\n", "// MARK: - A\n"],
            keeping: ["mktemp -d till.XXXXXX\n", "# a benchMARK\n", "let currency = \"XXX\"\n"]
        ),
        RuleSample(
            rule: .noLicenceHeaders,
            breaking: [
                "// SPDX-License-Identifier: Apache-2.0\n", "// Copyright (c) 2020 A\n", "// Licensed under the A\n",
            ],
            keeping: ["// The copyright of a catalogue's texts.\n"]
        ),
        RuleSample(
            rule: .noLicenceHeaders,
            path: "LICENSE",
            breaking: [],
            keeping: ["Licensed under the Apache License\n"]
        ),
        RuleSample(
            rule: .noMachinePaths,
            path: "README.md",
            breaking: ["cd /work/till\n", "/root/.cache\n", "\"/home/me/a\"\n", "(/Users/me)\n"],
            keeping: ["https://example.org/home/a\n", "$dir/work/a\n", "the work/home balance\n", "~/work/a\n"]
        ),
    ]

    private static func lines(_ count: Int) -> String {
        String(repeating: "a\n", count: count)
    }
}

import Foundation
import TestValues
import Testing
import TillEngine
import TillModel
import TillTesting
@testable import TillProviders

/// The provider's record after a power failure, and after damage.
@Suite struct SimulatedRecordTests {
    /// Smaller than a line, so that each line lies in several.
    private static let sector = 64

    @Test func anAppendThatWasNeverFlushedIsDroppedWhateverIsLeftOfIt() async throws {
        try await inTemporaryDirectory { directory in
            let record = try await Record.make(4, in: directory)
            let flushed = record.lines[..<2].reduce(0) { $0 + $1.count }
            let written =
                record.lines[..<2].reduce(Data(), +) + record.lines[2...].map(Self.unflushed).reduce(Data(), +)
            var random = SplitMix64(seed: 1)
            for _ in 0..<300 {
                let length = Int.random(in: flushed...written.count, using: &random)
                var left = Data(written.prefix(length))
                // The sectors that were not written, in a file that has its length already.
                for start in stride(from: 0, to: length, by: Self.sector) where Bool.random(using: &random) {
                    let torn = max(start, flushed)..<max(start, flushed, min(start + Self.sector, length))
                    left.replaceSubrange(torn, with: Data(count: torn.count))
                }
                try left.write(to: record.url)
                try await Self.expectRecovery(of: record, in: directory)
            }
        }
    }

    /// The charges that were flushed are known, and another one is recorded behind them.
    private static func expectRecovery(of record: Record, in directory: String) async throws {
        let known = try SimulatedRecord.charges(in: directory).map(\.paymentID)
        #expect(known == Array(record.payments.prefix(known.count)) && known.count >= 2)
        let provider = try SimulatedProvider(directory: directory, faults: SimulatedFaults())
        let next = SimulatedProviderTests.request("coins")
        _ = await provider.charge(next)
        #expect(try SimulatedRecord.charges(in: directory).map(\.paymentID) == known + [next.paymentID])
    }

    @Test func damageBeforeAFlushedLineIsAnErrorThatNamesItsLine() async throws {
        try await inTemporaryDirectory { directory in
            let record = try await Record.make(3, in: directory)
            for (number, line) in record.lines.enumerated() {
                let start = record.lines[..<number].reduce(0) { $0 + $1.count }
                for offset in 1..<(line.count - 50) {
                    for damage in [0, 0x20] as [UInt8] {
                        var bytes = record.lines.reduce(Data(), +)
                        bytes[start + offset] = damage == 0 ? 0 : bytes[start + offset] ^ damage
                        let error = #expect(throws: TillError.self) {
                            _ = try SimulatedRecord.parse(bytes, path: "record")
                        }
                        #expect(error?.code == .dataLoss)
                        #expect(error?.message.hasPrefix("Line \(number + 1) of") == true, "\(error?.message ?? "")")
                    }
                }
            }
        }
    }

    @Test func aRecordThatAnEarlierVersionWroteIsContinued() async throws {
        try await inTemporaryDirectory { directory in
            let ids = (0..<2).map { _ in UUID() }
            let old = Data(ids.map(Self.oldLine).joined().utf8)
            let url = URL(filePath: "\(directory)/\(SimulatedRecord.fileName)")
            // An append of that version whose bytes a loss of power left out in part.
            try (old + Data(count: 40) + Data("\"quantity\":1}\n".utf8)).write(to: url)
            let next = SimulatedProviderTests.request("coins")
            for _ in 0..<2 {
                let provider = try SimulatedProvider(directory: directory, faults: SimulatedFaults())
                _ = await provider.charge(next)
                #expect(try SimulatedRecord.charges(in: directory).map(\.paymentID) == ids + [next.paymentID])
            }
            var damaged = try Data(contentsOf: url)
            damaged[5] = 0
            try damaged.write(to: url)
            let error = #expect(throws: TillError.self) { _ = try SimulatedRecord.charges(in: directory) }
            #expect(error?.message.contains("Line 1") == true)
        }
    }

    @Test func aRecordThatCannotBeOpenedIsNotTakenForAnEmptyOne() async throws {
        try await inTemporaryDirectory { directory in
            #expect(try SimulatedRecord.charges(in: directory) == [])
            try FileManager.default.createDirectory(
                atPath: "\(directory)/\(SimulatedRecord.fileName)",
                withIntermediateDirectories: false
            )
            let unread = #expect(throws: TillError.self) { _ = try SimulatedRecord.charges(in: directory) }
            #expect(unread?.message.hasPrefix("Cannot read the record of charges at \(directory)") == true)
            let unopened = #expect(throws: TillError.self) {
                _ = try SimulatedProvider(directory: directory, faults: SimulatedFaults())
            }
            #expect(unopened?.message.contains("Is a directory") == true)
        }
    }

    private static func oldLine(_ id: UUID) -> String {
        """
        {"account":"uid:1000","amount":99,"application":"org.example.notes","currency":"USD",\
        "payment_id":"\(id.uuidString)","product_id":"coins","quantity":1,"reference":"sim_old"}\n
        """
    }

    /// The line as it is before its flush.
    private static func unflushed(_ line: Data) -> Data {
        let text = String(decoding: line, as: UTF8.self)
        return Data(text.replacing("\"flushed\":1}\n", with: "\"flushed\":0}\n").utf8)
    }

    /// A record of so many charges, each with a flush of its own.
    private struct Record {
        var url: URL
        var payments: [UUID] = []
        var lines: [Data] = []

        static func make(_ count: Int, in directory: String) async throws -> Record {
            var record = Record(url: URL(filePath: "\(directory)/\(SimulatedRecord.fileName)"))
            let provider = try SimulatedProvider(directory: directory, faults: SimulatedFaults())
            for _ in 0..<count {
                let request = SimulatedProviderTests.request("coins")
                _ = await provider.charge(request)
                record.payments.append(request.paymentID)
                let before = record.lines.reduce(0) { $0 + $1.count }
                record.lines.append(Data(try Data(contentsOf: record.url).dropFirst(before)))
            }
            return record
        }
    }
}

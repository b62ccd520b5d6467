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

/// The lines of the record, which earlier versions wrote with `JSONEncoder`.
@Suite struct SimulatedLineTests {
    private struct Charge: Encodable {
        let paymentID: UUID
        let application, account, productID: String
        let quantity: Int
        let amount: Int64
        let currency, reference: String
        let chargedMs: Int64?
    }

    private struct Refund: Encodable {
        let refundID, paymentID: UUID
        let amount: Int64
        let currency, reference: String
        let refundedMs: Int64
    }

    private static let texts = [
        "", "org.example.notes", "a/b", "\"quoted\" \\ back", "caf\u{E9}", "cafe\u{301}", "日本 🎁 \u{2028} \u{FEFF}",
        String(String.UnicodeScalarView((0..<0x80 as Range<UInt8>).map(Unicode.Scalar.init))),
    ]

    private static let numbers: [(quantity: Int, amount: Int64, time: Int64?)] = [
        (1, 99, nil), (.min, .min, .min), (.max, .max, .max),
    ]

    @Test(arguments: texts)
    func chargesAreWrittenAsBefore(_ text: String) throws {
        for (quantity, amount, time) in Self.numbers {
            var charge = SimulatedCharge(SimulatedProviderTests.request(text), number: 1, at: .now)
            (charge.application, charge.account, charge.currency) = (text, text + "1", text + "2")
            (charge.quantity, charge.amount, charge.chargedAt) = (quantity, amount, time)
            charge.reference = text
            let written = Charge(
                paymentID: charge.paymentID,
                application: text,
                account: text + "1",
                productID: text,
                quantity: quantity,
                amount: amount,
                currency: text + "2",
                reference: text,
                chargedMs: time
            )
            try Self.expect(.charge(charge), isWrittenAs: written)
        }
    }

    @Test(arguments: texts)
    func refundsAreWrittenAsBefore(_ text: String) throws {
        let request = ProviderRefundRequest(
            refundID: UUID(),
            paymentID: UUID(),
            charge: "simulated-1",
            amount: .max,
            currency: text
        )
        var refund = SimulatedRefund(request, number: 2, at: .now)
        refund.reference = text
        let written = Refund(
            refundID: request.refundID,
            paymentID: request.paymentID,
            amount: .max,
            currency: text,
            reference: text,
            refundedMs: refund.refundedAt
        )
        try Self.expect(.refund(refund), isWrittenAs: written)
    }

    @Test func theBytesOfALineStayTheSame() throws {
        var request = SimulatedProviderTests.request("coins")
        request.paymentID = try #require(UUID(uuidString: "7E3FB20B-4CDB-47CC-936D-99D65F608138"))
        let charge = SimulatedCharge(request, number: 1, at: Date(timeIntervalSince1970: 1_795_276_800))
        #expect(
            String(decoding: SimulatedLine.text(of: .charge(charge)), as: UTF8.self) == """
                {"account":"uid:1000","amount":99,"application":"org.example.notes","charged_ms":1795276800000,\
                "currency":"USD","payment_id":"7E3FB20B-4CDB-47CC-936D-99D65F608138","product_id":"coins","quantity":1,\
                "reference":"sim_7e3fb20b-4cdb-47cc-936d-99d65f608138","sum":"048895c84b7e2b82","flushed":0}

                """
        )
    }

    private static func expect(_ entry: SimulatedEntry, isWrittenAs value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let object = try encoder.encode(value).dropLast()
        let line = Data(SimulatedLine.text(of: entry))
        #expect(line.starts(with: object + Data(#","sum":""#.utf8)))
        guard case .entry(let read) = SimulatedLine.read(line) else {
            Issue.record("The line cannot be read.")
            return
        }
        #expect(read == entry)
    }
}

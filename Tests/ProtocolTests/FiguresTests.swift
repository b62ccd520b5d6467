import NIOCore
import ProtobufCodec
import Testing
import TillModel
import TillService
import TillWire

@testable import TTRPC
@testable import TillEngine

/// The page's figures and names match the code.
@Suite struct FiguresTests {
    private static let limits = TTRPCServer.Limits()

    /// The page's text about a limit, and whether the code agrees.
    private static let figures: [(says: String, isTrue: Bool)] = [
        ("at most 4 MiB by the protocol, 256 KiB by default", Frame.lengthMaximum == 4 << 20),
        ("| a frame's data | 256 KiB", Frame.lengthDefault == 256 << 10 && limits.frameLength == Frame.lengthDefault),
        ("16 on a connection, each answered INVALID_ARGUMENT", limits.faultsMaximum == 16),
        ("16 pairs; 64 bytes a key, 1,024 a value", Metadata.pairsMaximum == 16),
        ("16 pairs; 64 bytes a key, 1,024 a value", Metadata.keyLengthMaximum == 64),
        ("16 pairs; 64 bytes a key, 1,024 a value", Metadata.valueLengthMaximum == 1024),
        ("128 on a connection, 512 of a user, 2,048 in all", limits.streamsPerConnection == 128),
        (
            "128 on a connection, 512 of a user, 2,048 in all",
            limits.streamsPerUser == 512 && limits.streamsInAll == 2048
        ),
        ("64 of a user, 512 in all, 8 of them", limits.connectionsPerUser == 64 && limits.connectionsInAll == 512),
        ("64 of a user, 512 in all, 8 of them", limits.connectionsReserved == 8),
        ("; 16 of all users whom no rule serves |", ResourceQuotas.unservedConnectionsMaximum == 16),
        ("; 64 KiB of a user, and root's", ResourceQuotas.frameBytesReserved == 64 << 10),
        ("waits while four others get theirs", ApplicationReceipts.documentsMaximum == 4),
        ("it was not read within 10 s |", PaymentEngine.receiptPatience == .seconds(10)),
        ("500 a second, 1,000 at once", limits.requestRate == TTRPCServer.RequestRate(perSecond: 500, burst: 1000)),
        ("| first frame of a connection | 5 s |", limits.firstFrame == .seconds(5)),
        ("from its first byte to its last | 10 s |", limits.frameCompletion == .seconds(10)),
        ("| all messages that are unpacked at once | 16 MiB |", DecodingLimits.arenaBytesInAllMaximum == 16 << 20),
        (
            "| 4 MiB of a user, 16 MiB in all;",
            limits.frameBytesPerUser == 4 << 20 && limits.frameBytesInAll == 16 << 20
        ),
        ("| unread bytes | 1 MiB of a connection;", limits.outboundBytes == 1 << 20),
        (
            "64 KiB while all have 32 MiB |",
            limits.outboundShare == 64 << 10 && limits.outboundBytesInAll == 32 << 20
        ),
        ("after 30 s streams end", limits.outboundStall == .seconds(30)),
        (
            "raised to 1 ms and lowered to 1 h",
            limits.timeoutMinimum == .milliseconds(1) && limits.timeoutMaximum == .hours(1)
        ),
        ("Without it a call has 30 s", limits.unaryTimeout == .seconds(30)),
        ("| commands that wait to be stored | 10,000,", GroupCommit.waitingMaximum == 10_000),
        ("while a flush takes longer than 5 s |", GroupCommit.flushPatience == .seconds(5)),
        ("5,120 fields, 16 of them unknown", DecodingLimits.fieldsMaximum == 5120),
        ("5,120 fields, 16 of them unknown", DecodingLimits.unknownFieldsMaximum == 16),
        ("8 messages within each other; 1 MiB unpacked", DecodingLimits.depthMaximum == 8),
        ("8 messages within each other; 1 MiB unpacked", DecodingLimits.arenaBytesMaximum == 1 << 20),
        ("| quantity | 1 to 10 |", Payment.quantityRange == 1...10),
        ("| application username | 1,024 bytes |", Payment.applicationUsernameMaximumBytes == 1024),
        (
            "| page of transactions | 1 to 64, by default 64 |",
            PaymentEngine.pageMaximum == 64 && PaymentEngine.pageDefault == 64
        ),
        ("at most 8 identifiers", PaymentEngine.productsMaximum == 8 && WireProtocol.productsMaximum == 8),
        ("all in pages of at most 128", PaymentEngine.productsPageMaximum == 128),
        (
            "`window` batches, 1 to 16 and by default 4",
            Observation.windowRange == 1...16 && Observation.windowDefault == 4
        ),
        (
            "`batch_size` events, 1 to 64 and by default 64",
            Observation.batchRange == 1...64 && Observation.batchDefault == 64
        ),
        ("Without news for 15 s", Observation.heartbeat == .seconds(15)),
        ("after 15 s without news", AuthorizationWatch.heartbeat == .seconds(15)),
        ("at most 256 open requests", AuthorizationWatch.requestsMaximum == 256),
        ("now, in pages of 32", WireProtocol.pageMaximum == 32),
        ("may answer, in pages of 32", WireProtocol.pageMaximum == 32),
        ("pass a filter, in pages of 32", WireProtocol.pageMaximum == 32),
        ("| an operator's page of transactions | 1 to 32, by default 32 |", WireProtocol.pageMaximum == 32),
        ("`reason` of 1 to 256 bytes", WireProtocol.reasonMaximumBytes == 256),
        ("| a reason | 256 bytes |", WireProtocol.reasonMaximumBytes == 256),
        ("oldest first, in pages of 32", PaymentEngine.downloadPage == 32 && WireProtocol.downloadsMaximum == 32),
        ("name 1 to 32 downloads", PaymentEngine.downloadCommandMaximum == 32 && WireProtocol.downloadsMaximum == 32),
        ("| downloads in a page, or in a command | 32 |", WireProtocol.downloadsMaximum == 32),
        ("| downloads whose progress one batch reports | 128 |", ActiveDownloads.reportMaximum == 128),
        ("in parts of at most 128 KiB", WireProtocol.receiptPartMaximumBytes == 128 << 10),
        ("the newest 10,000 purchases", PaymentEngine.receiptPurchasesMaximum == 10_000),
        ("at most 32 settings", WireProtocol.settingChangesMaximum == 32),
        ("in pages of at most 128", ReconciliationPage.rowsMaximum == 128),
        ("at most 64 links at a time", WireProtocol.auditLinksMaximum == 64),
        ("The last 1,000 ends of restores", CommandContext.eventsKept == 1000),
        ("more than 64 capabilities", TillService.capabilitiesMaximum == 64),
        ("a protocol version; the only one is 1", WireProtocol.version == 1),
        ("1 to 128 bytes of `A-Z a-z 0-9 . _ : -`", Identifier.maximumBytes == 128),
    ]

    @Test(arguments: figures.indices)
    func aFigureOfThePageIsThatOfTheCode(_ index: Int) throws {
        let figure = Self.figures[index]
        // A line break counts as a space.
        let text = try ProtocolPage.text().replacing("\n", with: " ")
        #expect(text.contains(figure.says), "the page does not say: \(figure.says)")
        #expect(figure.isTrue, "the code has another figure than: \(figure.says)")
    }

    @Test func everyMethodHasALineInTheTable() throws {
        let methods =
            PaymentQueueMethod.allCases.map(\.rawValue) + ProductsMethod.allCases.map(\.rawValue)
            + AuthorizationMethod.allCases.map(\.rawValue) + OperatorMethod.allCases.map(\.rawValue)
            + DownloadsMethod.allCases.map(\.rawValue) + ReceiptsMethod.allCases.map(\.rawValue)
            + PaymentMethodsMethod.allCases.map(\.rawValue)
            + HealthMethod.allCases.map(\.rawValue)
        let text = try ProtocolPage.text()
        for method in methods {
            #expect(text.contains("\n| `\(method)` |"), "\(method) is not in the table of methods")
        }
        for service in TillService.services + [HealthMethod.service] {
            #expect(text.contains("`\(service)`"), "\(service) is not on the page")
        }
    }

    @Test func everyStatusCodeThatTheDaemonAnswersIsExplained() throws {
        let text = try ProtocolPage.text()
        for code in 1...15 where ![10, 11].contains(code) {
            let code = RPCStatusCode(rawValue: UInt32(code))
            #expect(text.contains("\(code.rawValue) \(code)"), "\(code) is not in the table of status codes")
        }
    }
}

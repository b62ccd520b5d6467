import NIOCore
import Testing

@testable import TTRPC

@Suite("The bytes of frames in flight")
struct FrameBytesTests {
    private static let large = 200 << 10

    /// Frames of 200 KiB: twenty of them are just below the 4 MiB of a user.
    private func request(_ id: UInt32, _ method: String = "Echo") -> Frame {
        .request(id, method, payload: [UInt8](repeating: 7, count: Self.large))
    }

    @Test func aUserMayHaveFourMebibytesOfFramesInFlightAndAllUsersSixteen() {
        var quotas = ResourceQuotas(limits: TTRPCServer.Limits(), ownUID: 500)
        for id in UInt64(1)...5 { _ = quotas.admit(connection: id, uid: UInt32(id), now: .uptimeNanoseconds(1)) }
        for id in UInt64(1)...4 {
            let admitted = (0..<100).count { _ in quotas.admitFrame(connection: id, bytes: 256 << 10) }
            #expect(admitted == 16, "4 MiB of user \(id)")
        }
        #expect(quotas.admitFrame(connection: 5, bytes: 256 << 10) == false, "16 MiB in all")
        quotas.releaseFrame(connection: 1, bytes: 256 << 10)
        #expect(quotas.admitFrame(connection: 5, bytes: 256 << 10) == true)
        for id in UInt64(1)...5 { quotas.remove(connection: id) }
        #expect(quotas.usage.frameBytes == 0)
    }

    @Test func smallFramesAndThoseOfRootAndTheServersOwnUserAlwaysFit() {
        var quotas = ResourceQuotas(limits: TTRPCServer.Limits(), ownUID: 500)
        for uid in [UInt32(1), 2, 3, 4, 5, 0, 500] {
            _ = quotas.admit(connection: UInt64(uid), uid: uid, now: .uptimeNanoseconds(1))
        }
        for id in UInt64(1)...4 {
            for _ in 1...16 { #expect(quotas.admitFrame(connection: id, bytes: 256 << 10) == true) }
        }
        #expect(quotas.admitFrame(connection: 5, bytes: ResourceQuotas.frameBytesReserved + 1) == false)
        #expect(quotas.admitFrame(connection: 5, bytes: ResourceQuotas.frameBytesReserved) == true)
        #expect(quotas.admitFrame(connection: 5, bytes: 1) == false, "it has used its reserved bytes")
        for privileged in [UInt64(0), 500] {
            let admitted = (0..<100).count { _ in quotas.admitFrame(connection: privileged, bytes: 256 << 10) }
            #expect(admitted == 16, "4 MiB of user \(privileged)")
        }
        for uid in [UInt64(1), 2, 3, 4, 5, 0, 500] { quotas.remove(connection: uid) }
        #expect(quotas.usage.frameBytes == 0)
    }

    @Test func aUserWithoutFramesInFlightMaySendOneOfAnyAcceptedSize() {
        var limits = TTRPCServer.Limits()
        limits.frameLength = Frame.lengthMaximum
        limits.frameBytesPerUser = 1
        limits.frameBytesInAll = 1
        var quotas = ResourceQuotas(limits: limits, ownUID: 500)
        _ = quotas.admit(connection: 1, uid: 1, now: .uptimeNanoseconds(1))
        #expect(quotas.admitFrame(connection: 1, bytes: Frame.lengthMaximum) == true)
        #expect(quotas.admitFrame(connection: 1, bytes: 1) == false)
    }

    @Test func aFrameBeyondTheQuotaIsAnsweredAndTheConnectionStaysOpen() throws {
        let server = try ServerHarness()
        for number in UInt32(0)..<20 { try server.send(request(number * 2 + 1)) }
        #expect(try server.replies().isEmpty)
        try server.send(request(41))
        let reply = try server.reply()
        #expect(reply.header.streamID == 41)
        #expect(reply.error?.code == .resourceExhausted)
        server.answer(1)
        _ = try server.reply()
        try server.send(request(43))
        #expect(try server.replies().isEmpty, "the answer has made room")
    }

    @Test func aFrameIsCountedWhenItsHeaderArrives() throws {
        let server = try ServerHarness()
        for number in UInt32(0)..<20 { try server.send(request(number * 2 + 1)) }
        try server.send(header(UInt32(Self.large), 41))
        #expect(try server.reply().error?.code == .resourceExhausted, "it is refused before its data arrives")
    }

    @Test func framesThatOpenNoStreamAreReleasedImmediately() throws {
        let server = try ServerHarness()
        for number in UInt32(0)..<100 {
            try server.send(request(number * 2 + 1, "unknown"))
            #expect(try server.reply().error?.code == .unimplemented)
        }
        try server.send(Frame(.data, 1, data: [1, 2, 3]))
        _ = try server.replies()
        #expect(server.registry.usage.frameBytes == 0)
    }

    @Test func aPartialFrameIsReleasedWithItsConnection() throws {
        let server = try ServerHarness()
        try server.send(header(1000, 1))
        #expect(server.registry.usage.frameBytes == 1000)
        server.advance(by: .seconds(10))
        #expect(!server.isOpen)
        server.registry.remove(server.connection)
        #expect(server.registry.usage.frameBytes == 0)
    }

    @Test func aRefusedFrameIsSkippedAsItArrives() {
        var reader = FrameReader(lengthMaximum: 100)
        let refused = Frame(.request, 1, data: [UInt8](repeating: 0, count: 100))
        reader.append(refused.wire)
        reader.append(Frame(.request, 3, data: [1]).wire)
        let events = [reader.next { $0 < 100 }, reader.next { $0 < 100 }]
        #expect(events == [.refused(refused.header), .frame(Frame(.request, 3, data: [1]))])
    }
}

import NIOCore
import Testing

@testable import TTRPC

@Suite("Resource quotas of a server")
struct ResourceQuotasTests {
    private static let start = NIODeadline.uptimeNanoseconds(1)
    private static let own: UInt32 = 500

    private func quotas(_ change: (inout TTRPCServer.Limits) -> Void = { _ in }) -> ResourceQuotas {
        var limits = TTRPCServer.Limits()
        change(&limits)
        return ResourceQuotas(limits: limits, ownUID: Self.own)
    }

    private func admitted(_ quotas: inout ResourceQuotas, _ ids: Range<UInt64>, uid: UInt32) -> Int {
        ids.count { id in quotas.admit(connection: id, uid: uid, now: Self.start) }
    }

    @Test func oneUserGetsSixtyFourConnections() {
        var quotas = quotas()
        #expect(admitted(&quotas, 0..<100, uid: 1000) == 64)
        #expect(admitted(&quotas, 100..<200, uid: 1001) == 64)
        quotas.remove(connection: 0)
        #expect(admitted(&quotas, 200..<300, uid: 1000) == 1)
    }

    @Test(arguments: [UInt32(0), own])
    func eightConnectionsAreReservedForRootAndTheServersOwnUser(privileged: UInt32) {
        var quotas = quotas()
        var count = 0
        for uid in UInt32(1000)..<1600 {
            let first = UInt64(uid) * 100
            count += admitted(&quotas, first..<first + 64, uid: uid)
        }
        #expect(count == 504)
        #expect(admitted(&quotas, 0..<64, uid: privileged) == 8)
        #expect(quotas.usage.connections == 512)
    }

    @Test func eightUsersCannotTakeAllConnections() {
        var quotas = quotas()
        var counts: [Int] = []
        for uid in UInt32(1000)..<1013 {
            let first = UInt64(uid) * 100
            counts.append(admitted(&quotas, first..<first + 64, uid: uid))
        }
        #expect(counts.prefix(8) == [64, 64, 64, 64, 64, 64, 60, 30])
        #expect(counts.allSatisfy { $0 > 0 }, "\(counts)")
    }

    @Test func fourUsersCannotTakeAllStreams() {
        var quotas = quotas()
        for uid in UInt32(1000)..<1005 {
            _ = quotas.admit(connection: UInt64(uid), uid: uid, now: Self.start)
        }
        let counts = (UInt64(1000)..<1005).map { connection in
            (0..<600).count { _ in quotas.openStream(connection: connection) == nil }
        }
        #expect(counts.prefix(3) == [512, 512, 512])
        #expect(counts.allSatisfy { $0 > 0 }, "\(counts)")
    }

    @Test(arguments: [UInt32(0), own])
    func rootAndTheServersOwnUserAlwaysGetStreams(privileged: UInt32) {
        var quotas = quotas { $0.streamsInAll = 1 }
        _ = quotas.admit(connection: 1, uid: 1000, now: Self.start)
        _ = quotas.admit(connection: 2, uid: privileged, now: Self.start)
        #expect(quotas.openStream(connection: 1) == nil)
        #expect(quotas.openStream(connection: 2) == nil)
        #expect(quotas.openStream(connection: 1)?.code == .resourceExhausted)
    }

    @Test func usersThatAreNotServedShareAFewConnections() {
        var quotas = quotas()
        let most = ResourceQuotas.unservedConnectionsMaximum
        var ids: [UInt64] = []
        for id in UInt64(0)..<600 {
            let isAdmitted = quotas.admit(connection: id, uid: 2000 + UInt32(id), isServed: false, now: Self.start)
            if isAdmitted { ids.append(id) }
        }
        #expect(ids.count == most)
        #expect(admitted(&quotas, 1000..<1100, uid: 1000) == 64)
        #expect(quotas.admit(connection: 1100, uid: Self.own, isServed: false, now: Self.start) == true)
        quotas.remove(connection: ids[0])
        quotas.remove(connection: ids[0])
        let again = (UInt64(1200)..<1300).count {
            quotas.admit(connection: $0, uid: 3000, isServed: false, now: Self.start)
        }
        #expect(again == 1)
    }

    @Test func oneUsersStreamsAreLimitedAcrossConnections() {
        var quotas = quotas { $0.streamsPerUser = 3 }
        #expect(admitted(&quotas, 1..<3, uid: 1000) == 2)
        #expect(admitted(&quotas, 3..<4, uid: 1001) == 1)
        #expect(quotas.openStream(connection: 1) == nil)
        #expect(quotas.openStream(connection: 1) == nil)
        #expect(quotas.openStream(connection: 2) == nil)
        #expect(quotas.openStream(connection: 2)?.code == .resourceExhausted)
        #expect(quotas.openStream(connection: 3) == nil)
        quotas.remove(connection: 1)
        #expect(quotas.usage == TTRPCServer.Usage(connections: 2, streams: 2))
        #expect(quotas.openStream(connection: 2) == nil)
    }

    @Test func allUsersStreamsAreLimitedInTotal() {
        var quotas = quotas { $0.streamsInAll = 2 }
        for id in UInt64(1)...3 { _ = quotas.admit(connection: id, uid: UInt32(id), now: Self.start) }
        #expect(quotas.openStream(connection: 1) == nil)
        #expect(quotas.openStream(connection: 2) == nil)
        #expect(quotas.openStream(connection: 3)?.code == .resourceExhausted)
        quotas.closeStream(connection: 2)
        #expect(quotas.openStream(connection: 3) == nil)
    }

    @Test func aRemovedConnectionOpensNothingAndIsReleasedOnce() {
        var quotas = quotas()
        #expect(quotas.openStream(connection: 1)?.code == .unavailable)
        _ = admitted(&quotas, 1..<2, uid: 1000)
        quotas.closeStream(connection: 1)
        quotas.remove(connection: 1)
        quotas.remove(connection: 1)
        quotas.closeStream(connection: 1)
        #expect(quotas.usage == TTRPCServer.Usage(connections: 0, streams: 0))
    }

    @Test func theRateIsPerUserAndOutlivesConnections() {
        var quotas = quotas { $0.requestRate = .init(perSecond: 1, burst: 2) }
        _ = admitted(&quotas, 1..<3, uid: 1000)
        _ = admitted(&quotas, 3..<4, uid: 1001)
        #expect(quotas.countRequest(connection: 1, now: Self.start) == nil)
        #expect(quotas.countRequest(connection: 2, now: Self.start) == nil)
        #expect(quotas.countRequest(connection: 1, now: Self.start)?.code == .resourceExhausted)
        #expect(quotas.countRequest(connection: 3, now: Self.start) == nil)
        quotas.remove(connection: 1)
        quotas.remove(connection: 2)
        _ = admitted(&quotas, 4..<5, uid: 1000)
        #expect(quotas.countRequest(connection: 4, now: Self.start)?.code == .resourceExhausted)
    }

    @Test func usersWithoutConnectionsAreEvictedOnceTheirBucketIsFull() {
        var quotas = quotas { $0.requestRate = .init(perSecond: 1, burst: 2) }
        for uid in UInt32(0)..<UInt32(ResourceQuotas.trackedUsersMaximum) {
            _ = quotas.admit(connection: UInt64(uid), uid: uid, now: Self.start)
            _ = quotas.countRequest(connection: UInt64(uid), now: Self.start)
            quotas.remove(connection: UInt64(uid))
        }
        #expect(quotas.trackedUsers == ResourceQuotas.trackedUsersMaximum)
        _ = quotas.admit(connection: 9998, uid: 9998, now: Self.start)
        #expect(quotas.trackedUsers == ResourceQuotas.trackedUsersMaximum + 1, "their buckets are not full")
        _ = quotas.admit(connection: 9999, uid: 9999, now: Self.start + .seconds(1))
        #expect(quotas.trackedUsers == 2)
    }

    @Test func aBucketFillsUpToItsBurstAndIgnoresTimeThatRunsBackwards() {
        var bucket = TokenBucket(rate: .init(perSecond: 10, burst: 3), now: Self.start)
        for _ in 1...3 { #expect(bucket.take(now: Self.start) == true) }
        #expect(bucket.take(now: Self.start) == false)
        #expect(bucket.take(now: .uptimeNanoseconds(0)) == false)
        #expect(bucket.take(now: Self.start + .milliseconds(100)) == true)
        #expect(bucket.isFull(now: Self.start + .milliseconds(200)) == false)
        for _ in 1...3 { #expect(bucket.take(now: Self.start + .hours(1)) == true) }
        #expect(bucket.take(now: Self.start + .hours(1)) == false)
    }

    @Test func whatArrivesAndIsRefusedIsCounted() {
        var quotas = quotas {
            $0.connectionsPerUser = 2
            $0.streamsPerUser = 1
            $0.requestRate = TTRPCServer.RequestRate(perSecond: 1, burst: 3)
        }
        #expect(admitted(&quotas, 0..<5, uid: 1000) == 2)
        #expect(quotas.totals == TTRPCServer.Totals(connectionsRefused: 3))
        for _ in 0..<5 {
            _ = quotas.countRequest(connection: 0, now: Self.start)
        }
        #expect(quotas.totals == TTRPCServer.Totals(connectionsRefused: 3, requests: 5, requestsRefused: 2))
        #expect(quotas.openStream(connection: 0) == nil)
        #expect(quotas.openStream(connection: 1) != nil)
        #expect(quotas.totals.requestsRefused == 3)
        quotas.remove(connection: 0)
        #expect(quotas.totals.requests == 5, "totals outlive their connections")
    }
}

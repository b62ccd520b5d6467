import NIOCore
import Testing

@testable import TTRPC

@Suite("Who uses how much of a server")
struct AccountsTests {
    private static let start = NIODeadline.uptimeNanoseconds(1)
    private static let own: UInt32 = 500

    private func accounts(_ change: (inout TTRPCServer.Limits) -> Void = { _ in }) -> Accounts {
        var limits = TTRPCServer.Limits()
        change(&limits)
        return Accounts(limits: limits, ownUID: Self.own)
    }

    private func admitted(_ accounts: inout Accounts, _ ids: Range<UInt64>, uid: UInt32) -> Int {
        ids.count { id in accounts.admit(connection: id, uid: uid, now: Self.start) }
    }

    @Test func oneUserGetsSixtyFourConnections() {
        var accounts = accounts()
        #expect(admitted(&accounts, 0..<100, uid: 1000) == 64)
        #expect(admitted(&accounts, 100..<200, uid: 1001) == 64)
        accounts.remove(connection: 0)
        #expect(admitted(&accounts, 200..<300, uid: 1000) == 1)
    }

    @Test(arguments: [UInt32(0), own])
    func eightConnectionsAreKeptForRootAndTheServersOwnUser(privileged: UInt32) {
        var accounts = accounts()
        var count = 0
        for uid in UInt32(1000)..<1600 {
            let first = UInt64(uid) * 100
            count += admitted(&accounts, first..<first + 64, uid: uid)
        }
        #expect(count == 504)
        #expect(admitted(&accounts, 0..<64, uid: privileged) == 8)
        #expect(accounts.usage.connections == 512)
    }

    @Test func eightUsersLeaveConnectionsToOthersWhateverTheyTake() {
        var accounts = accounts()
        var counts: [Int] = []
        for uid in UInt32(1000)..<1013 {
            let first = UInt64(uid) * 100
            counts.append(admitted(&accounts, first..<first + 64, uid: uid))
        }
        #expect(counts.prefix(8) == [64, 64, 64, 64, 64, 64, 60, 30])
        #expect(counts.allSatisfy { $0 > 0 }, "\(counts)")
    }

    @Test func fourUsersLeaveStreamsToOthersWhateverTheyTake() {
        var accounts = accounts()
        for uid in UInt32(1000)..<1005 {
            _ = accounts.admit(connection: UInt64(uid), uid: uid, now: Self.start)
        }
        let counts = (UInt64(1000)..<1005).map { connection in
            (0..<600).count { _ in accounts.openStream(connection: connection) == nil }
        }
        #expect(counts.prefix(3) == [512, 512, 512])
        #expect(counts.allSatisfy { $0 > 0 }, "\(counts)")
    }

    @Test(arguments: [UInt32(0), own])
    func rootAndTheServersOwnUserHaveStreamsWhateverOthersHave(privileged: UInt32) {
        var accounts = accounts { $0.streamsInAll = 1 }
        _ = accounts.admit(connection: 1, uid: 1000, now: Self.start)
        _ = accounts.admit(connection: 2, uid: privileged, now: Self.start)
        #expect(accounts.openStream(connection: 1) == nil)
        #expect(accounts.openStream(connection: 2) == nil)
        #expect(accounts.openStream(connection: 1)?.code == .resourceExhausted)
    }

    @Test func usersWhoAreNotServedShareAFewConnections() {
        var accounts = accounts()
        let most = Accounts.connectionsUnserved
        var ids: [UInt64] = []
        for id in UInt64(0)..<600 {
            let isAdmitted = accounts.admit(connection: id, uid: 2000 + UInt32(id), isServed: false, now: Self.start)
            if isAdmitted { ids.append(id) }
        }
        #expect(ids.count == most)
        #expect(admitted(&accounts, 1000..<1100, uid: 1000) == 64)
        #expect(accounts.admit(connection: 1100, uid: Self.own, isServed: false, now: Self.start) == true)
        accounts.remove(connection: ids[0])
        accounts.remove(connection: ids[0])
        let again = (UInt64(1200)..<1300).count {
            accounts.admit(connection: $0, uid: 3000, isServed: false, now: Self.start)
        }
        #expect(again == 1)
    }

    @Test func oneUserGetsSoManyStreamsOnAllConnections() {
        var accounts = accounts { $0.streamsPerUser = 3 }
        #expect(admitted(&accounts, 1..<3, uid: 1000) == 2)
        #expect(admitted(&accounts, 3..<4, uid: 1001) == 1)
        #expect(accounts.openStream(connection: 1) == nil)
        #expect(accounts.openStream(connection: 1) == nil)
        #expect(accounts.openStream(connection: 2) == nil)
        #expect(accounts.openStream(connection: 2)?.code == .resourceExhausted)
        #expect(accounts.openStream(connection: 3) == nil)
        accounts.remove(connection: 1)
        #expect(accounts.usage == TTRPCServer.Usage(connections: 2, streams: 2))
        #expect(accounts.openStream(connection: 2) == nil)
    }

    @Test func allUsersTogetherGetSoManyStreams() {
        var accounts = accounts { $0.streamsInAll = 2 }
        for id in UInt64(1)...3 { _ = accounts.admit(connection: id, uid: UInt32(id), now: Self.start) }
        #expect(accounts.openStream(connection: 1) == nil)
        #expect(accounts.openStream(connection: 2) == nil)
        #expect(accounts.openStream(connection: 3)?.code == .resourceExhausted)
        accounts.closeStream(connection: 2)
        #expect(accounts.openStream(connection: 3) == nil)
    }

    @Test func aConnectionThatIsGoneOpensNothingAndGivesBackOnce() {
        var accounts = accounts()
        #expect(accounts.openStream(connection: 1)?.code == .unavailable)
        _ = admitted(&accounts, 1..<2, uid: 1000)
        accounts.closeStream(connection: 1)
        accounts.remove(connection: 1)
        accounts.remove(connection: 1)
        accounts.closeStream(connection: 1)
        #expect(accounts.usage == TTRPCServer.Usage(connections: 0, streams: 0))
    }

    @Test func theRateIsTheUsersAndOutlivesConnections() {
        var accounts = accounts { $0.requestRate = .init(perSecond: 1, burst: 2) }
        _ = admitted(&accounts, 1..<3, uid: 1000)
        _ = admitted(&accounts, 3..<4, uid: 1001)
        #expect(accounts.countRequest(connection: 1, now: Self.start) == nil)
        #expect(accounts.countRequest(connection: 2, now: Self.start) == nil)
        #expect(accounts.countRequest(connection: 1, now: Self.start)?.code == .resourceExhausted)
        #expect(accounts.countRequest(connection: 3, now: Self.start) == nil)
        accounts.remove(connection: 1)
        accounts.remove(connection: 2)
        _ = admitted(&accounts, 4..<5, uid: 1000)
        #expect(accounts.countRequest(connection: 4, now: Self.start)?.code == .resourceExhausted)
    }

    @Test func usersWithoutConnectionsAreForgottenOnceTheirRateIsWhole() {
        var accounts = accounts { $0.requestRate = .init(perSecond: 1, burst: 2) }
        for uid in UInt32(0)..<UInt32(Accounts.usersKept) {
            _ = accounts.admit(connection: UInt64(uid), uid: uid, now: Self.start)
            _ = accounts.countRequest(connection: UInt64(uid), now: Self.start)
            accounts.remove(connection: UInt64(uid))
        }
        #expect(accounts.usersKnown == Accounts.usersKept)
        _ = accounts.admit(connection: 9998, uid: 9998, now: Self.start)
        #expect(accounts.usersKnown == Accounts.usersKept + 1, "their buckets are not full")
        _ = accounts.admit(connection: 9999, uid: 9999, now: Self.start + .seconds(1))
        #expect(accounts.usersKnown == 2)
    }

    @Test func aBucketFillsUpToItsBurstAndNotWithTimeThatRunsBackwards() {
        var bucket = TokenBucket(rate: .init(perSecond: 10, burst: 3), now: Self.start)
        for _ in 1...3 { #expect(bucket.take(now: Self.start) == true) }
        #expect(bucket.take(now: Self.start) == false)
        #expect(bucket.take(now: .uptimeNanoseconds(0)) == false)
        #expect(bucket.take(now: Self.start + .milliseconds(100)) == true)
        #expect(bucket.isFull(now: Self.start + .milliseconds(200)) == false)
        for _ in 1...3 { #expect(bucket.take(now: Self.start + .hours(1)) == true) }
        #expect(bucket.take(now: Self.start + .hours(1)) == false)
    }
}

import FoundationEssentials
import Testing
import TillEngine
import TillTesting
@testable import TillConsole

/// An invitation opens one session, for a minute; a session ends an hour after its last request.
@Suite struct ConsoleSessionsTests {
    private let clock = VirtualTime()
    private let sessions: ConsoleSessions
    private let anna = ConsoleSessions.Session(uid: 1000)

    init() {
        sessions = ConsoleSessions(time: clock)
    }

    @Test func anInvitationOpensOneSession() throws {
        let invitation = sessions.invite(anna)
        let (secret, session) = try #require(sessions.open(invitation))
        #expect(session == anna)
        #expect(sessions.session(of: secret) == anna)
        #expect(sessions.open(invitation) == nil)
        #expect(sessions.session(of: invitation) == nil)
    }

    @Test(arguments: [(59.0, true), (60.0, false), (61.0, false)])
    func anInvitationEndsAfterAMinute(seconds: TimeInterval, isOpen: Bool) {
        let invitation = sessions.invite(anna)
        clock.advance(by: seconds)
        #expect((sessions.open(invitation) != nil) == isOpen)
    }

    @Test func aSessionLastsAnHourLongerByEachRequest() throws {
        let secret = try #require(sessions.open(sessions.invite(anna))).secret
        for _ in 0..<3 {
            clock.advance(by: 3_599)
            #expect(sessions.session(of: secret) == anna)
        }
        clock.advance(by: 3_600)
        #expect(sessions.session(of: secret) == nil)
        #expect(sessions.session(of: secret) == nil)
    }

    @Test func aClosedSessionEnds() throws {
        let secret = try #require(sessions.open(sessions.invite(anna))).secret
        sessions.close(secret)
        #expect(sessions.session(of: secret) == nil)
    }

    @Test func theOldestInvitationGivesWay() throws {
        let first = sessions.invite(anna)
        clock.advance(by: 1)
        let others = (1...ConsoleSessions.countMaximum).map { _ in sessions.invite(anna) }
        #expect(sessions.open(first) == nil)
        for invitation in others {
            #expect(sessions.open(invitation) != nil)
        }
    }

    @Test func secretsAreDifferentAndLong() {
        let secrets = Set((0..<100).map { _ in sessions.invite(anna) })
        #expect(secrets.count == 100)
        #expect(secrets.allSatisfy { $0.utf8.count == 43 })
    }
}

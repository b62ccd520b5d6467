import Testing
import TillEngine
@testable import TillConsole

/// A request that does not come from the page itself is refused and has no effect.
@Suite struct RequestGuardTests {
    private static let host = "127.0.0.1:8481"

    private static let get = RequestHead(method: "GET", target: "/view/overview", hosts: [host])
    private static let post = RequestHead(
        method: "POST",
        target: "/action/refund",
        hosts: [host],
        contentTypes: ["application/json"]
    )

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var head: RequestHead
        var refusal: RequestGuard.Refusal

        init(
            _ name: String,
            _ head: RequestHead,
            _ refusal: RequestGuard.Refusal,
            _ change: (inout RequestHead) -> Void
        ) {
            testDescription = name
            var head = head
            change(&head)
            self.head = head
            self.refusal = refusal
        }
    }

    private static func session(_ sessions: ConsoleSessions, isReadOnly: Bool = false) throws -> String {
        let invitation = sessions.invite(ConsoleSessions.Session(uid: 7, isReadOnly: isReadOnly))
        return try #require(sessions.open(invitation)).secret
    }

    private static let hosts: [(String, [String])] = [
        ("no host", []),
        ("two hosts", [host, host]),
        ("another port", ["127.0.0.1:8482"]),
        ("no port", ["127.0.0.1"]),
        ("an empty port", ["127.0.0.1:"]),
        ("a port with a sign", ["127.0.0.1:+8481"]),
        ("a port with a zero", ["127.0.0.1:08481"]),
        ("another name", ["till.example:8481"]),
        ("a name that begins alike", ["127.0.0.1.example.org:8481"]),
        ("a name that ends alike", ["example.org.localhost:8481"]),
        ("a user before it", ["x@127.0.0.1:8481"]),
        ("another loopback address", ["127.0.0.2:8481"]),
        ("an address of all interfaces", ["0.0.0.0:8481"]),
        ("an empty host", [""]),
        ("upper case", ["LOCALHOST:8481"]),
    ]

    private static let origins: [(String, [String])] = [
        ("another origin", ["https://example.org"]),
        ("no origin", ["null"]),
        ("another port's origin", ["http://127.0.0.1:8482"]),
        ("another name's origin", ["http://localhost:8481"]),
        ("two origins", ["http://127.0.0.1:8481", "https://example.org"]),
        ("an empty origin", [""]),
        ("a file", ["file://"]),
    ]

    /// For a view and for an action.
    private static let heads: [(String, RequestHead)] = [("a view", get), ("an action", post)]

    private static let cases: [Case] = heads.flatMap { kind, head -> [Case] in
        hosts.map { name, values in
            Case("\(kind) with \(name)", head, .foreignHost) { $0.hosts = values }
        }
            + origins.map { name, values in
                Case("\(kind) with \(name)", head, .foreignOrigin) { $0.origins = values }
            }
            + ["cross-site", "same-site", "", "Same-Origin"].map { value in
                Case("\(kind) with the fetch site '\(value)'", head, .crossSite) { $0.fetchSites = [value] }
            }
            + ["*", "http://127.0.0.1:8481/view/overview", "", "view/overview"].map { target in
                Case("\(kind) with the target '\(target)'", head, .malformedTarget) { $0.target = target }
            }
            + ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "get", "HEAD"].map { method in
                Case("\(kind) by \(method)", head, .wrongMethod) { $0.method = method }
            }
    }

    private static let more: [Case] =
        [
            Case("an action by GET", post, .wrongMethod) { $0.method = "GET" },
            Case("a view by POST", get, .wrongMethod) { $0.method = "POST" },
            Case("a session by GET", get, .wrongMethod) { $0.target = "/session" },
            Case("a link to a view", get, .crossSite) {
                $0.fetchSites = ["cross-site"]
                $0.fetchModes = ["navigate"]
            },
        ]
        + ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-8", "multipart/form-data"]
        .map { type in
            Case("an action as \(type)", post, .wrongContentType) { $0.contentTypes = [type] }
        }
        + [Case("an action without a type", post, .wrongContentType) { $0.contentTypes = [] }]

    @Test(arguments: cases + more)
    func aRequestOfAnotherPageIsRefused(refused: Case) throws {
        let sessions = ConsoleSessions()
        let gate = RequestGuard(port: 8481, sessions: sessions)
        var head = refused.head
        head.authorizations = ["Bearer \(try Self.session(sessions))"]
        #expect(throws: refused.refusal) { try gate.admit(head) }
    }

    @Test(arguments: [
        [], [""], ["Bearer"], ["Bearer "], ["Basic SECRET"], ["bearer SECRET"], ["Bearer  SECRET"], ["SECRET"],
        ["Bearer SECRETx"], ["Bearer SECRET", "Bearer SECRET"],
    ])
    func aRequestWithoutItsSessionIsRefused(authorizations: [String]) throws {
        let sessions = ConsoleSessions()
        let gate = RequestGuard(port: 8481, sessions: sessions)
        let secret = try Self.session(sessions)
        for var head in [Self.get, Self.post] {
            head.authorizations = authorizations.map { $0.replacing("SECRET", with: secret) }
            #expect(throws: RequestGuard.Refusal.noSession) { try gate.admit(head) }
            head.authorizations = ["Bearer \(secret)"]
            #expect(try gate.admit(head) == ConsoleSessions.Session(uid: 7))
        }
    }

    @Test func aSessionThatMayOnlyReadChangesNothing() throws {
        let sessions = ConsoleSessions()
        let gate = RequestGuard(port: 8481, sessions: sessions)
        let authorizations = ["Bearer \(try Self.session(sessions, isReadOnly: true))"]
        var head = Self.get
        head.authorizations = authorizations
        #expect(try gate.admit(head)?.isReadOnly == true)
        head = Self.post
        head.authorizations = authorizations
        #expect(throws: RequestGuard.Refusal.readOnly) { try gate.admit(head) }
        head.target = "/sign-out"
        #expect(try gate.admit(head)?.isReadOnly == true)
    }

    @Test(arguments: ["127.0.0.1:8481", "localhost:8481", "[::1]:8481"])
    func thePageItselfIsServed(host: String) throws {
        let gate = RequestGuard(port: 8481, sessions: ConsoleSessions())
        var head = RequestHead(method: "GET", target: "/", hosts: [host])
        #expect(try gate.admit(head) == nil)
        head.origins = ["http://\(host)"]
        head.fetchSites = ["none"]
        #expect(try gate.admit(head) == nil)
        head = RequestHead(method: "POST", target: "/session", hosts: [host], contentTypes: ["application/json"])
        #expect(try gate.admit(head) == nil)
    }

    /// A page elsewhere may link to the frame, which shows nothing without a session.
    @Test func aLinkOpensTheFrameAlone() throws {
        let gate = RequestGuard(port: 8481, sessions: ConsoleSessions())
        var head = RequestHead(method: "GET", target: "/", hosts: [Self.host])
        head.fetchSites = ["cross-site"]
        head.fetchModes = ["navigate"]
        #expect(try gate.admit(head) == nil)
        head.fetchModes = ["cors"]
        #expect(throws: RequestGuard.Refusal.crossSite) { try gate.admit(head) }
    }

    /// A Unix socket is reached through a forwarded port, whose number the daemon does not know.
    @Test func aSocketTakesAnyPortOfThisMachine() throws {
        let gate = RequestGuard(port: nil, sessions: ConsoleSessions())
        #expect(try gate.admit(RequestHead(method: "GET", target: "/", hosts: ["localhost:9000"])) == nil)
        #expect(throws: RequestGuard.Refusal.foreignHost) {
            try gate.admit(RequestHead(method: "GET", target: "/", hosts: ["example.org:9000"]))
        }
    }
}

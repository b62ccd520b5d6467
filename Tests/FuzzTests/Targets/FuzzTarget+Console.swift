import HTTPTypes
import TillEngine

@testable import TillConsole

extension FuzzTarget {
    /// A request to the operator page: a line with its method and target, the lines of its headers, an empty line and its
    /// body. Each `@` in a header stands for the secret of an operator's session, and each `^` for that of one that may only
    /// read.
    static let console = FuzzTarget("console") { input in
        var lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        let head = lines.prefix { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
        lines = lines.dropFirst(head.count + 1)
        guard let request = request(head) else {
            return
        }
        admit(RequestHead(request))
        read(target: request.path ?? "", body: Array(lines.joined(separator: [UInt8(ascii: "\n")])))
    }

    private static let port = 8481
    private static let sessions = ConsoleSessions()
    private static let writer = open(isReadOnly: false)
    private static let reader = open(isReadOnly: true)

    private static func open(isReadOnly: Bool) -> String {
        let invitation = sessions.invite(ConsoleSessions.Session(uid: 1000, isReadOnly: isReadOnly))
        return sessions.open(invitation)?.secret ?? ""
    }

    private static func request(_ head: [String]) -> HTTPRequest? {
        let line = head.first?.split(separator: " ", maxSplits: 1) ?? []
        guard line.count == 2, let method = HTTPRequest.Method(String(line[0])) else {
            return nil
        }
        var fields = HTTPFields()
        var authority: String?
        for text in head.dropFirst() {
            let parts = text.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
            guard parts.count == 2 else {
                continue
            }
            let value = String(parts[1].replacing("@", with: writer).replacing("^", with: reader))
            // As the server does: the first Host becomes the authority.
            if parts[0].lowercased() == "host", authority == nil {
                authority = value
            } else if let name = HTTPField.Name(String(parts[0])) {
                fields.append(HTTPField(name: name, value: value))
            }
        }
        return HTTPRequest(
            method: method,
            scheme: "http",
            authority: authority,
            path: String(line[1]),
            headerFields: fields
        )
    }

    private static func admit(_ head: RequestHead) {
        guard let session = try? RequestGuard(port: port, sessions: sessions).admit(head) else {
            return
        }
        let own = ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"]
        promise(head.hosts.count == 1 && own.contains(head.hosts[0]), "only the page's own Host is admitted")
        promise(
            head.origins.allSatisfy { ["http://", "https://"].map { $0 + head.hosts[0] }.contains($0) },
            "no other page's Origin is admitted"
        )
        let path = head.target.prefix { $0 != "?" }
        promise(
            head.fetchSites.allSatisfy { ["same-origin", "none"].contains($0) } || path == "/",
            "no other site is admitted but by a link to the frame"
        )
        let secret = session.isReadOnly ? reader : writer
        promise(head.authorizations == ["Bearer \(secret)"], "only the secret of a session is admitted as one")
        if path.hasPrefix("/action/") {
            promise(!session.isReadOnly, "a session that may only read changes nothing")
        }
        if path.hasPrefix("/action/") || path == "/sign-out" {
            promise(head.method == "POST" && head.contentTypes == ["application/json"], "changes come as JSON by POST")
        }
    }

    private static func read(target: String, body: [UInt8]) {
        read(target: target)
        read(body: body)
    }

    private static func read(target: String) {
        guard let query = try? ViewQuery(target.drop { $0 != "?" }.dropFirst()) else {
            return
        }
        for name in ["id", "state", "product"] {
            let html = "\(query[name] ?? "")" as HTML
            promise(!html.text.contains { "<>\"'".contains($0) }, "a text of the address becomes no element")
        }
        _ = try? query.token()
        _ = try? query.transactionID()
        if let queue = try? query.queueName() {
            let parameters = [("application", queue.application), ("account", queue.account)]
            let link = HTML.link(to: .queue, parameters, queue.account).text
            promise(
                link.ranges(of: "<").count == 2 && link.ranges(of: "\"").count == 2,
                "a queue's name stays in its link"
            )
        }
    }

    private static func read(body: [UInt8]) {
        guard let fields = try? ActionFields(json: body) else {
            return
        }
        _ = try? fields.id()
        _ = try? fields.isTrue("approves")
        _ = try? fields.integer("amount", in: 1...10_000)
        _ = try? fields.queueName()
        _ = try? fields.identity(of: ConsoleSessions.Session(uid: 1000))
    }
}

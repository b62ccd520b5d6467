import HTTPTypes

/// The parts of a request's head that decide whether it is served.
struct RequestHead: Hashable {
    var method: String
    /// As it was sent, with its query.
    var target: String
    /// The values of `Host`; a request has exactly one.
    var hosts: [String]
    var origins: [String] = []
    var fetchSites: [String] = []
    var fetchModes: [String] = []
    var contentTypes: [String] = []
    var authorizations: [String] = []

    /// The target without its query.
    var path: Substring {
        target.prefix { $0 != "?" }
    }
}

extension RequestHead {
    init(_ request: HTTPRequest) {
        let fields = request.headerFields
        self.init(
            method: request.method.rawValue,
            target: request.path ?? "",
            // The first is not among the other fields.
            hosts: [request.authority].compactMap(\.self) + fields.values("host"),
            origins: fields[values: .origin],
            fetchSites: fields.values("sec-fetch-site"),
            fetchModes: fields.values("sec-fetch-mode"),
            contentTypes: fields[values: .contentType],
            authorizations: fields[values: .authorization]
        )
    }
}

extension HTTPFields {
    /// The values of the fields of a name in lower case.
    fileprivate func values(_ name: String) -> [String] {
        filter { $0.name.canonicalName == name }.map(\.value)
    }
}

/// Decides which requests reach the operator page.
///
/// On a loopback address the kernel does not say who calls: any user of the machine can connect, and so can any page that
/// the operator's browser shows. So each request that reads or changes something carries the secret of a session in a
/// header, which no other page can send; a cookie would be sent to every port of the machine. A foreign `Host` shows DNS
/// rebinding, a foreign `Origin` or `Sec-Fetch-Site` another page. Nothing is read of a refused request but its head.
struct RequestGuard {
    /// Why a request is refused.
    enum Refusal: String, Error, CaseIterable {
        case malformedTarget = "The request's target is not a path."
        case foreignHost = "The request's Host is not an address of this page."
        case foreignOrigin = "The request comes from another page."
        case crossSite = "The request comes from another site."
        case wrongMethod = "The method does not fit the path."
        case wrongContentType = "The request's body is not JSON."
        case noSession = "The request has no session: run till console for another invitation."
        case readOnly = "The session may only read."
    }

    /// What a path gives.
    enum Area: Hashable {
        /// Nothing that is worth protecting: the page's frame and script, health and metrics.
        case open
        /// A session, for an invitation.
        case session
        /// What the page shows.
        case view
        /// Changes.
        case action
        /// The end of a session.
        case signOut

        init(_ path: Substring) {
            if path == "/session" {
                self = .session
            } else if path.hasPrefix("/view/") || path == "/events" {
                self = .view
            } else if path.hasPrefix("/action/") {
                self = .action
            } else if path == "/sign-out" {
                self = .signOut
            } else {
                self = .open
            }
        }
    }

    /// The port of a loopback address; nil for a Unix socket, which is reached through a forwarded port of any number.
    let port: Int?
    let sessions: ConsoleSessions

    /// Returns the session of the request, which is nil only where none is needed.
    func admit(_ request: RequestHead) throws(Refusal) -> ConsoleSessions.Session? {
        guard request.target.hasPrefix("/") else {
            throw .malformedTarget
        }
        guard request.hosts.count == 1, let host = request.hosts.first, isOwn(host) else {
            throw .foreignHost
        }
        guard request.origins.allSatisfy({ $0 == "http://\(host)" || $0 == "https://\(host)" }) else {
            throw .foreignOrigin
        }
        // A link to the frame may be anywhere: it opens no session, and no other page can read it or show it within itself.
        let isLink = request.path == "/" && request.fetchModes == ["navigate"] && request.method == "GET"
        guard isLink || request.fetchSites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) else {
            throw .crossSite
        }
        return try admit(request, to: Area(request.path))
    }

    private func admit(_ request: RequestHead, to area: Area) throws(Refusal) -> ConsoleSessions.Session? {
        let changes = area != .open && area != .view
        guard changes ? request.method == "POST" : request.method == "GET" else {
            throw .wrongMethod
        }
        guard !changes || request.contentTypes == ["application/json"] else {
            throw .wrongContentType
        }
        guard area != .open && area != .session else {
            return nil
        }
        guard let session = Self.secret(request).flatMap(sessions.session) else {
            throw .noSession
        }
        guard area != .action || !session.isReadOnly else {
            throw .readOnly
        }
        return session
    }

    /// The secret of the one header `Authorization: Bearer SECRET` (RFC 6750).
    static func secret(_ request: RequestHead) -> String? {
        guard request.authorizations.count == 1, let value = request.authorizations.first, value.hasPrefix("Bearer ")
        else {
            return nil
        }
        return String(value.dropFirst("Bearer ".count))
    }

    /// Whether the host is a name of this page. The owner of another name can make it lead here.
    private func isOwn(_ host: String) -> Bool {
        guard let colon = host.lastIndex(of: ":"), host[colon...] != ":",
            let number = Int(host[host.index(after: colon)...]), "\(number)" == host[host.index(after: colon)...]
        else {
            return false
        }
        return ["127.0.0.1", "localhost", "[::1]"].contains(host[..<colon]) && (port ?? number) == number
    }
}

import FaultRuns
import FoundationEssentials
import NIOCore
import ProcessTesting
import Testing
import TillClient
import TillHTTP
import TillModel

/// A browser's requests to the operator page of a daemon.
struct ConsoleClient {
    private let client: HTTPClient
    let address: String
    var session: String?

    struct Answer {
        var status: Int
        var headers: HTTPHeaders
        var text: String

        /// The members of a JSON object of texts.
        var fields: [String: String] {
            get throws {
                try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
            }
        }
    }

    /// Opens the page of the site's daemon.
    init(_ site: Site, readOnly: Bool = false) async throws {
        try await self.init(TillOperator(site.queue().configuration), readOnly: readOnly)
    }

    /// Opens the page as `till console` does.
    ///
    /// - Parameter store: It is closed.
    init(_ store: TillOperator, readOnly: Bool = false) async throws {
        let invitation = try await store.openConsole(readOnly: readOnly)
        await store.close()
        address = invitation.address
        client = try HTTPClient(
            HTTPClient.Configuration(connectTimeout: .seconds(10), idleTimeout: .seconds(60), connectionsMaximum: 4)
        )
        let answer = try await post("/session", ["invitation": invitation.secret])
        #expect(answer.status == 200, "\(answer.text)")
        session = try answer.fields["session"]
    }

    private func headers(_ more: [(String, String)]) -> HTTPHeaders {
        HTTPHeaders(more + (session.map { [("Authorization", "Bearer \($0)")] } ?? []))
    }

    func get(_ path: String, _ more: [(String, String)] = []) async throws -> Answer {
        try await send(.get("http://\(address)\(path)", headers: headers(more)))
    }

    func post(_ path: String, _ fields: [String: String], _ more: [(String, String)] = []) async throws -> Answer {
        try await post(path, body: Array(try JSONEncoder().encode(fields)), more)
    }

    func post(_ path: String, body: [UInt8], _ more: [(String, String)] = []) async throws -> Answer {
        let type = [("Content-Type", "application/json")]
        return try await send(
            .post("http://\(address)\(path)", headers: headers(type + more), body: body, isIdempotent: false)
        )
    }

    /// Sends an action, which must succeed, and returns its message.
    func act(_ action: String, _ fields: [String: String]) async throws -> String {
        let answer = try await post("/action/\(action)", fields)
        #expect(answer.status == 200, "\(answer.text)")
        return try answer.fields["message"] ?? ""
    }

    /// The response of a stream of events, of which only the head was read.
    func events() async throws -> HTTPResponse {
        try await client.send(.get("http://\(address)/events", headers: headers([])))
    }

    private func send(_ request: HTTPRequest) async throws -> Answer {
        let response = try await client.send(request)
        let body = try await response.body.collect(upTo: 4 << 20)
        return Answer(status: response.status, headers: response.headers, text: String(buffer: body))
    }
}

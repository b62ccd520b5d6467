import NIOCore
import Testing

@testable import TillHTTP

/// What a client makes of a server's bytes.
@Suite(.timeLimit(.minutes(5))) struct HTTPClientTests {
    typealias Answer = ScriptedServer.Answer

    static let whole = Answer(text: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")

    @Test(arguments: [
        whole,
        Answer(text: "HTTP/1.1 200 OK\r\n\r\nabc", closes: true),
        Answer(text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\nX: y\r\n\r\n"),
        Answer(text: "HTTP/1.1 103 Hints\r\nX: hint\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"),
        Answer(text: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Encoding: gzip\r\n\r\nabc"),
    ])
    func theBodyIsWhatTheServerSent(answer: Answer) async throws {
        try await ScriptedServer.run([answer]) { server in
            let response = try await Self.client().get(server.url(), headers: HTTPHeaders())
            #expect(response.status == 200)
            #expect(response.headers["x"] == [])
            #expect(try await Self.text(response) == "abc")
            #expect(try await response.body.next() == nil)
        }
    }

    @Test func theHeadIsAsItWasSent() async throws {
        let text =
            "HTTP/1.1 302 Found\r\nLocation: /b\r\nVia: 1, 2\r\nvia:3\r\nX: \t a: b \r\nContent-Length: 0\r\n\r\n"
        try await ScriptedServer.run([Answer(text: text)]) { server in
            let headers = HTTPHeaders([("Accept", "text/plain"), ("X-Empty", "a b")])
            let response = try await Self.client().get(server.url("/a/../b?c=%20"), headers: headers)
            #expect(response.status == 302)
            #expect(response.headers.first(name: "location") == "/b")
            #expect(response.headers["VIA"] == ["1, 2", "3"])
            #expect(response.headers[canonicalForm: "via"] == ["1", "2", "3"])
            #expect(response.headers["x"] == ["a: b"])
            let request = try #require(server.requests.first)
            #expect(server.requests.count == 1, "A redirect must not be followed.")
            #expect(request.hasPrefix("GET /a/../b?c=%20 HTTP/1.1\r\n"))
            #expect(request.contains("\r\nAccept: text/plain\r\n"))
            #expect(request.contains("\r\nX-Empty: a b\r\n"))
        }
    }

    @Test(arguments: [
        Answer(text: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc", closes: true),
        Answer(text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", closes: true),
    ])
    func aBodyThatIsCutOffFailsAfterWhatArrived(answer: Answer) async throws {
        try await ScriptedServer.run([answer]) { server in
            let response = try await Self.client().get(server.url(), headers: HTTPHeaders())
            var received = ""
            await #expect(throws: HTTPFailure.self) {
                while let chunk = try await response.body.next() {
                    received += String(buffer: chunk)
                }
            }
            #expect(received == "abc")
        }
    }

    @Test(arguments: [
        Answer(text: "", closes: true),
        Answer(text: "220 mail.example ESMTP\r\n", closes: true),
        Answer(text: "HTTP/1.1 2x0 OK\r\n\r\n", closes: true),
        Answer(text: "HTTP/1.1 200 OK\r\nX: \(String(repeating: "a", count: 70_000))\r\n\r\n", closes: true),
        Answer(text: "HTTP/1.1 200 OK\r\n" + String(repeating: "X: aaaaaaaaaaaa\r\n", count: 5000), closes: true),
        Answer(text: "HTTP/1.1 200 OK\r\n"),
    ])
    func whatIsNotAResponseIsRefused(answer: Answer) async throws {
        try await ScriptedServer.run([answer]) { server in
            let client = try Self.client(idleTimeout: .seconds(3))
            let failure = await #expect(throws: HTTPFailure.self) {
                try await client.get(server.url(), headers: HTTPHeaders())
            }
            #expect(failure != .url)
        }
    }

    @Test(arguments: ["", "http://", "file:///etc/hostname", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "http://a b/"])
    func anotherURLThanOneOfHTTPIsRefused(url: String) async throws {
        let client = try Self.client()
        await #expect(throws: HTTPFailure.url) { try await client.get(url, headers: HTTPHeaders()) }
    }

    @Test func aServerThatStaysSilentIsGivenUpOn() async throws {
        let answer = Answer(text: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc")
        try await ScriptedServer.run([answer]) { server in
            let client = try Self.client(idleTimeout: .seconds(3))
            let response = try await client.get(server.url(), headers: HTTPHeaders())
            #expect(try await response.body.next().map { String(buffer: $0) } == "abc")
            let failure = await #expect(throws: HTTPFailure.self) { try await response.body.next() }
            #expect(failure == .connection("the server sent nothing for 3.0 seconds"))
        }
    }

    /// A reader that does not read holds what the limit allows, however much the server has, and misses nothing. It may
    /// take longer than a server may be silent.
    @Test func aReaderThatIsSlowLosesNothing() async throws {
        let count = 8 << 20
        let answer = Answer(text: "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n", zeros: count)
        try await ScriptedServer.run([answer, Self.whole]) { server in
            let client = try Self.client(idleTimeout: .seconds(3))
            let slow = try await client.get(server.url(), headers: HTTPHeaders())
            // Another transfer of the same client runs into its time limit in the meantime.
            let silent = Answer(text: "HTTP/1.1 200 OK\r\n")
            try await ScriptedServer.run([silent]) { other in
                await #expect(throws: HTTPFailure.self) { try await client.get(other.url(), headers: HTTPHeaders()) }
                await #expect(throws: HTTPFailure.self) { try await client.get(other.url(), headers: HTTPHeaders()) }
            }
            var received = 0
            while let chunk = try await slow.body.next() {
                received += chunk.readableBytes
            }
            #expect(received == count)
        }
    }

    @Test func connectionsAreUsedAgain() async throws {
        try await ScriptedServer.run([Self.whole]) { server in
            let client = try Self.client()
            for _ in 0..<5 {
                #expect(try await Self.text(client.get(server.url(), headers: HTTPHeaders())) == "abc")
            }
            #expect(server.requests.count == 5)
            #expect(server.connections == 1)
        }
    }

    @Test func manyTransfersRunAtATime() async throws {
        try await ScriptedServer.run([Self.whole]) { server in
            let client = try Self.client()
            let texts = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<40 {
                    group.addTask { try await Self.text(client.get(server.url(), headers: HTTPHeaders())) }
                }
                return try await group.reduce(into: [String]()) { $0.append($1) }
            }
            #expect(texts == Array(repeating: "abc", count: 40))
        }
    }

    /// Before the head, and within the body.
    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc"])
    func aCancelledTaskEndsItsTransfer(text: String) async throws {
        try await ScriptedServer.run([Answer(text: text)]) { server in
            let client = try Self.client()
            let (beginning, begun) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    begun.yield()
                    let response = try await client.get(server.url(), headers: HTTPHeaders())
                    while try await response.body.next() != nil {}
                }
                for await _ in beginning.prefix(1) {}
                group.cancelAll()
                await #expect(throws: CancellationError.self) { try await group.next() }
            }
        }
    }

    static func client(idleTimeout: Duration = .seconds(60), requestTimeout: Duration? = nil) throws -> HTTPClient {
        try HTTPClient(
            HTTPClient.Configuration(
                connectTimeout: .seconds(60),
                idleTimeout: idleTimeout,
                requestTimeout: requestTimeout,
                connectionsMaximum: 4
            )
        )
    }

    private static func text(_ response: HTTPResponse) async throws -> String {
        var text = ""
        while let chunk = try await response.body.next() {
            text += String(buffer: chunk)
        }
        return text
    }
}

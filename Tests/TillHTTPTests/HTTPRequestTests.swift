import NIOCore
import Testing

@testable import TillHTTP

/// What a server receives of a request, and what its sender learns when there is no response.
@Suite(.timeLimit(.minutes(5))) struct HTTPRequestTests {
    typealias Answer = ScriptedServer.Answer

    /// Empty, every byte, and more than libcurl sends without the server's consent by default.
    @Test(arguments: [[], Array(0...255), Array(repeating: 0x61, count: 3 << 20)] as [[UInt8]])
    func aPostArrivesByteForByte(body: [UInt8]) async throws {
        try await ScriptedServer.run([HTTPClientTests.whole]) { server in
            let headers = HTTPHeaders([("Content-Type", "text/plain"), ("Idempotency-Key", "a b:c")])
            let request = HTTPRequest.post(server.url("/v1/x?y=z"), headers: headers, body: body, isIdempotent: false)
            let response = try await HTTPClientTests.client().send(request)
            #expect(try await response.body.collect(upTo: 3) == ByteBuffer(string: "abc"))
            #expect(server.bodies == [body])
            let head = try #require(server.requests.first).split(separator: "\r\n").map(String.init)
            let authority = server.url().dropFirst("http://".count).dropLast()
            #expect(head.first == "POST /v1/x?y=z HTTP/1.1")
            #expect(
                head.dropFirst().sorted() == [
                    "Accept: */*", "Content-Length: \(body.count)", "Content-Type: text/plain", "Host: \(authority)",
                    "Idempotency-Key: a b:c",
                ]
            )
        }
    }

    @Test func aBodyWithoutATypeIsNotCalledAForm() async throws {
        try await ScriptedServer.run([HTTPClientTests.whole]) { server in
            let request = HTTPRequest.post(server.url(), headers: HTTPHeaders(), body: [1], isIdempotent: false)
            _ = try await HTTPClientTests.client().send(request)
            #expect(try #require(server.requests.first).lowercased().contains("content-type") == false)
        }
    }

    @Test(arguments: [
        HTTPClientTests.whole,
        Answer(text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"),
        Answer(text: "HTTP/1.1 200 OK\r\n\r\n", zeros: 1 << 20),
    ])
    func aBodyAboveTheLimitIsRefused(answer: Answer) async throws {
        try await ScriptedServer.run([answer]) { server in
            let response = try await HTTPClientTests.client().get(server.url(), headers: HTTPHeaders())
            await #expect(throws: HTTPFailure.bodyTooLarge(limit: 2)) { try await response.body.collect(upTo: 2) }
        }
    }

    @Test func aBodyThatIsCutOffIsNotCollected() async throws {
        let answer = Answer(text: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc", closes: true)
        try await ScriptedServer.run([answer]) { server in
            let response = try await HTTPClientTests.client().get(server.url(), headers: HTTPHeaders())
            let failure = await #expect(throws: HTTPFailure.self) { try await response.body.collect(upTo: 4) }
            #expect(failure?.mayHaveBeenSent == true)
        }
    }

    /// Before the head, and within the body.
    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc"])
    func aResponseThatTakesTooLongIsGivenUp(text: String) async throws {
        try await ScriptedServer.run([Answer(text: text)]) { server in
            let client = try HTTPClientTests.client(requestTimeout: .milliseconds(500))
            let failure = await #expect(throws: HTTPFailure.self) {
                try await client.send(Self.post(to: server.url())).body.collect(upTo: 10)
            }
            #expect(failure?.mayHaveBeenSent == true)
            #expect(server.requests.count == 1)
        }
    }
}

extension HTTPRequestTests {
    @Test func aRefusedConnectionIsUnreachable() async throws {
        var url = ""
        try await ScriptedServer.run([]) { url = $0.url() }
        let client = try HTTPClientTests.client()
        let failure = await #expect(throws: HTTPFailure.self) { try await client.send(Self.post(to: url)) }
        #expect(failure?.mayHaveBeenSent == false)
    }

    /// The server reads the client's greeting and never replies to it.
    @Test func aTLSHandshakeThatTakesTooLongIsUnreachable() async throws {
        try await ScriptedServer.run([]) { server in
            let client = try HTTPClientTests.client(requestTimeout: .milliseconds(500))
            let url = server.url().replacing("http://", with: "https://")
            let failure = await #expect(throws: HTTPFailure.self) { try await client.send(Self.post(to: url)) }
            #expect(failure?.mayHaveBeenSent == false)
            #expect(server.connections == 1)
            #expect(server.requests == [])
        }
    }

    @Test(arguments: [Answer(text: "", closes: true), Answer(text: "", resets: true)])
    func aConnectionThatEndsAfterTheRequestIsNotUnreachable(answer: Answer) async throws {
        try await ScriptedServer.run([answer]) { server in
            let client = try HTTPClientTests.client()
            let failure = await #expect(throws: HTTPFailure.self) {
                try await client.send(Self.post(to: server.url()))
            }
            #expect(failure?.mayHaveBeenSent == true)
            #expect(server.requests.count == 1)
        }
    }

    /// The server ends a kept connection when the second request arrives on it.
    @Test(arguments: [Answer(text: "", closes: true), Answer(text: "", resets: true)])
    func aRequestIsSentOnceUnlessItIsIdempotent(ending: Answer) async throws {
        for isIdempotent in [false, true] {
            try await ScriptedServer.run([HTTPClientTests.whole, ending, HTTPClientTests.whole]) { server in
                let client = try HTTPClientTests.client()
                let request = Self.post(to: server.url(), isIdempotent: isIdempotent)
                _ = try await client.send(request).body.collect(upTo: 3)
                #expect(server.connections == 1)
                do {
                    _ = try await client.send(request).body.collect(upTo: 3)
                    #expect(isIdempotent)
                    #expect(server.requests.count == 3)
                } catch {
                    #expect(!isIdempotent)
                    #expect(error as? HTTPFailure == .connection("the kept connection ended without a response"))
                    #expect(server.requests.count == 2)
                }
            }
        }
    }

    private static func post(to url: String, isIdempotent: Bool = false) -> HTTPRequest {
        .post(url, headers: HTTPHeaders(), body: Array("a=b".utf8), isIdempotent: isIdempotent)
    }
}

extension HTTPFailure {
    fileprivate var mayHaveBeenSent: Bool {
        switch self {
        case .url, .unreachable: false
        case .connection, .bodyTooLarge: true
        }
    }
}

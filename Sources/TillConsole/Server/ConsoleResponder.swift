import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import TillEngine
import TillMetrics
import TillModel

/// Answers the requests of the operator page.
struct ConsoleResponder: Sendable {
    /// The longest body of a request, in bytes.
    static let bodyMaximum = 64 << 10
    /// How long the rest of a request's body may take.
    static let bodyTime = Duration.seconds(10)
    /// How often the page is told of changes at most, and how often without any, so that a connection that broke is noticed.
    static let eventInterval = Duration.milliseconds(500)
    static let heartbeat = 30

    let engine: PaymentEngine
    let sessions: ConsoleSessions
    let gate: RequestGuard
    let metrics: ConsoleMetrics
    let history: FigureHistory
    let sales: SalesReader
    let logger: Logger

    func reply(to request: Request) async -> Reply {
        let head = RequestHead(request.head)
        do {
            return try await reply(to: request, head, by: try gate.admit(head))
        } catch let refusal as RequestGuard.Refusal {
            logger.debug("A request to the operator page was refused", metadata: ["console.refusal": "\(refusal)"])
            return .refusal(refusal)
        } catch let error as TillError {
            return .failure(error)
        } catch {
            logger.error("A request to the operator page failed", metadata: ["error": "\(error)"])
            return .failure(TillError(.internal, "The daemon failed to answer; its log says more."))
        }
    }

    private func reply(to request: Request, _ head: RequestHead, by viewer: ConsoleSessions.Session?) async throws
        -> Reply
    {
        let path = head.path
        switch (RequestGuard.Area(path), viewer) {
        case (.open, _):
            return try await file(path)
        case (.session, _):
            return try openSession(try await fields(of: request))
        case (.view, _?) where path == "/events":
            return events
        case (.view, let viewer?):
            guard let view = View(rawValue: String(path.dropFirst("/view/".count))) else {
                throw TillError(.notFound, "The page has no view \(path).")
            }
            let query = try ViewQuery(head.target.dropFirst(path.count + 1))
            return .html(try await view.html(engine, history, sales, query, viewer))
        case (.action, let viewer?):
            return try await perform(path.dropFirst("/action/".count), request, by: viewer)
        case (.signOut, _):
            RequestGuard.secret(head).map(sessions.close)
            return .json(["message": "You are signed out."])
        case (.view, nil), (.action, nil):
            throw RequestGuard.Refusal.noSession
        }
    }

    /// What anybody may read.
    private func file(_ path: Substring) async throws(TillError) -> Reply {
        switch path {
        case "/": Reply("text/html; charset=utf-8", .bytes(PackageResources.console_html))
        case "/console.css": Reply("text/css; charset=utf-8", .bytes(PackageResources.console_css))
        case "/console.js": Reply("text/javascript; charset=utf-8", .bytes(PackageResources.console_js))
        case "/healthz": .text("ok\n")
        case "/readyz": await readiness
        case "/metrics":
            Reply(ExpositionWriter.contentType, .bytes(Array(await metrics.text().utf8)))
        default: throw TillError(.notFound, "There is nothing at this path.")
        }
    }

    private var readiness: Reply {
        get async {
            await engine.checkWrites()
                ? .text("ok\n") : .text("The daemon takes no payments now.\n", .serviceUnavailable)
        }
    }

    private func openSession(_ fields: ActionFields) throws(TillError) -> Reply {
        guard let (secret, session) = sessions.open(try fields.text("invitation")) else {
            throw TillError(
                .permissionDenied,
                "The invitation was used or is too old: run till console for another one."
            )
        }
        return .json([
            "session": secret,
            "user": String(user: session.uid, host: nil),
            "role": session.isReadOnly ? "reader" : "operator",
        ])
    }

    private func perform(_ name: Substring, _ request: Request, by viewer: ConsoleSessions.Session) async throws
        -> Reply
    {
        guard let action = Action(rawValue: String(name)) else {
            throw TillError(.notFound, "The page has no action \(name).")
        }
        let result = try await action.perform(engine, try await fields(of: request), by: viewer)
        return .json(["message": result.message, "html": result.html?.text ?? ""])
    }

    /// The fields in a request's body, which has to arrive in time.
    private func fields(of request: Request) async throws -> ActionFields {
        let body = request.body
        return try await withThrowingTaskGroup(of: ActionFields?.self) { group in
            group.addTask {
                do {
                    return try ActionFields(json: Array(buffer: try await body.collect(upTo: Self.bodyMaximum)))
                } catch is NIOTooManyBytesError {
                    throw TillError(.invalidArgument, "The body must be at most \(Self.bodyMaximum) bytes.")
                }
            }
            group.addTask {
                try await Task.sleep(for: Self.bodyTime)
                return nil
            }
            defer { group.cancelAll() }
            guard let fields = try await group.next() ?? nil else {
                throw TillError(.deadlineExceeded, "The request's body did not arrive in time.")
            }
            return fields
        }
    }

    /// Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): one whenever something has
    /// changed, without saying what, for as long as the connection lasts.
    private var events: Reply {
        let body = ResponseBody { [engine] writer in
            var shown: UInt64?
            var silence = 0
            while !Task.isCancelled {
                let count = engine.changeCount
                silence += 1
                if count != shown {
                    try await writer.write(ByteBuffer(string: "data: \(count)\n\n"))
                    shown = count
                    silence = 0
                } else if silence >= Self.heartbeat {
                    try await writer.write(ByteBuffer(string: ":\n\n"))
                    silence = 0
                }
                try await Task.sleep(for: Self.eventInterval)
            }
        }
        return Reply("text/event-stream", body)
    }
}

import FaultRuns
import Foundation
import NIOCore
import ProcessTesting
import StripeStandIn
import TillHTTP

/// A stand-in for Stripe in a process of its own, which keeps its book and its port when it is killed.
final class StandInProcess {
    private let site: Site
    private let key: String
    private let client: HTTPClient
    private var process: ChildProcess
    private(set) var port: Int

    init(at site: Site, key: String) async throws {
        self.site = site
        self.key = key
        client = try HTTPClient(
            HTTPClient.Configuration(
                connectTimeout: .seconds(5),
                idleTimeout: .seconds(30),
                connectionsMaximum: 4
            )
        )
        (process, port) = try await Self.start(at: site, key: key, port: 0)
    }

    var address: String { "http://127.0.0.1:\(port)" }

    /// Kills the process if it has not ended by itself, and starts the next one.
    func restart() async throws {
        await process.killNow()
        (process, port) = try await Self.start(at: site, key: key, port: port)
    }

    var isRunning: Bool { process.isRunning }

    /// Sends a command to the control; nil if there is no answer.
    func control(_ command: String, _ fields: [String: String] = [:]) async -> JSON? {
        let body = fields.map { "\(FormFields.encoded($0.key))=\(FormFields.encoded($0.value))" }.joined(separator: "&")
        let request = HTTPRequest.post(
            "\(address)/control/\(command)",
            headers: HTTPHeaders([("Content-Type", "application/x-www-form-urlencoded")]),
            body: Array(body.utf8),
            isIdempotent: true
        )
        guard let response = try? await client.send(request),
            let answer = try? await response.body.collect(upTo: 256 << 20)
        else {
            return nil
        }
        return JSON(text: answer.readableBytesView)
    }

    private static func start(at site: Site, key: String, port: Int) async throws -> (ChildProcess, Int) {
        let log = "stripe-\(UUID().uuidString).log"
        let arguments = ["--book", site.path("stripe.book"), "--key", key, "--port", "\(port)"]
        let process = try site.start("stand-in", Binaries.stripeStandIn, arguments, log: log)
        while process.isRunning {
            let text = (try? String(contentsOfFile: site.path(log), encoding: .utf8)) ?? ""
            if let found = text.firstMatch(of: /^Listening on http:\/\/127\.0\.0\.1:(\d+)\n/) {
                return (process, Int(found.output.1) ?? 0)
            }
            await Alarm.after(.milliseconds(2))
        }
        throw HarnessFailure("The stand-in for Stripe did not start: \(try site.readLog(log))")
    }
}

extension Site {
    fileprivate func readLog(_ name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }
}

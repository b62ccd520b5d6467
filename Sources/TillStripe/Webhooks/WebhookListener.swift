import FoundationEssentials
package import Logging
import NIOConcurrencyHelpers
package import NIOCore
import NIOHTTP1
import NIOPosix
package import TillEngine
package import TillHTTP
package import TillModel

/// Listens for webhooks of Stripe, behind the operator's reverse proxy. A webhook is a doorbell and nothing more.
///
/// A genuine webhook makes the daemon ask Stripe for events at once, as it would later without one. Its body is not even
/// parsed: what happened is what Stripe answers. So a forged, repeated, late or lost webhook changes no payment.
package final class WebhookListener: Sendable {
    /// The limits of connections and requests. That of a body is in ``WebhookExchange``.
    package struct Limits: Hashable, Sendable {
        /// Connections that are open at once. Others wait in the backlog.
        package var connectionsMaximum = 32
        /// The time for a whole request, from when the connection is accepted.
        package var requestTime = TimeAmount.seconds(10)
        /// How long the rest of a refused request is read and dropped.
        package var lingerTime = TimeAmount.seconds(1)

        /// The longest name and value of a header, and the longest address, in bytes.
        static let fieldMaximum = 4 << 10
        /// The longest headers of a request together, in bytes.
        static let headMaximum = 16 << 10
        /// The largest number of headers.
        static let fieldCountMaximum = 64

        package init() {}
    }

    package struct Configuration: Sendable {
        package var limits = Limits()
        package var secrets: WebhookSecrets
        /// The secrets to use from now on; nil if they are still the same.
        package var changedSecrets: @Sendable () -> WebhookSecrets?
        /// Called on an event loop for each genuine webhook, before it is answered. It must not block.
        package var ring: @Sendable () -> Void

        package init(
            secrets: WebhookSecrets,
            changedSecrets: @escaping @Sendable () -> WebhookSecrets? = { nil },
            ring: @escaping @Sendable () -> Void
        ) {
            self.secrets = secrets
            self.changedSecrets = changedSecrets
            self.ring = ring
        }
    }

    /// The only path that is served.
    package static let path = "/stripe/webhook"

    private struct State {
        var secrets: WebhookSecrets
        /// Refusals since the last record in the log.
        var refusals: [WebhookRefusal: Int] = [:]
    }

    /// How often to look for other secrets.
    static let secretsInterval = Duration.seconds(10)
    /// Refusals are logged together, at most once in this time, in seconds.
    static let logInterval = 60.0

    private let configuration: Configuration
    private let logger: Logger
    private let time: any TimeSource
    private let state: NIOLockedValueBox<State>
    private let channel = NIOLockedValueBox<(any Channel)?>(nil)

    /// - Parameter time: The wall clock by which signatures are current. It is not the store's clock, which operators may
    ///   advance.
    package init(_ configuration: Configuration, logger: Logger, time: any TimeSource = SystemTime()) {
        self.configuration = configuration
        self.logger = logger
        self.time = time
        state = NIOLockedValueBox(State(secrets: configuration.secrets))
    }

    /// Listens from now on, until ``run()`` ends. Call it once.
    ///
    /// - Throws: `failedPrecondition` if the place cannot be used.
    package func listen(
        at place: ListeningPlace,
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) async throws(TillError) {
        let maximum = configuration.limits.connectionsMaximum
        let bootstrap = ServerBootstrap.bounded(on: group, connectionsMaximum: maximum)
            // Read once at a time, so that connections take turns.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try WebhookConnection.configure(channel, self.connection())
                }
            }
        do {
            let bound =
                switch place {
                case .descriptor(let descriptor): try await bootstrap.withBoundSocket(descriptor).get()
                case .address(let host, let port): try await bootstrap.bind(host: host, port: port).get()
                }
            channel.withLockedValue { $0 = bound }
        } catch {
            throw TillError(.failedPrecondition, "Cannot listen for webhooks: \(error).")
        }
    }

    /// The port of an address at which it listens.
    package var port: Int? {
        channel.withLockedValue { $0 }?.localAddress?.port
    }

    /// Looks for other secrets and logs refusals, until the task is cancelled. Then it closes all connections.
    package func run() async {
        var lastRecord = -Double.infinity
        repeat {
            if let secrets = configuration.changedSecrets() {
                state.withLockedValue { $0.secrets = secrets }
                logger.notice("Other signing secrets of webhooks are in use")
            }
            let now = time.now().timeIntervalSince1970
            if abs(now - lastRecord) >= Self.logInterval, logRefusals() {
                lastRecord = now
            }
        } while (try? await time.sleep(for: Self.secretsInterval)) != nil
        try? await channel.withLockedValue { $0 }?.close()
    }

    /// The refused requests since the last record in the log, by reason.
    package var refusals: [WebhookRefusal: Int] {
        state.withLockedValue { $0.refusals }
    }

    /// - Returns: Whether there were any.
    private func logRefusals() -> Bool {
        let refusals = state.withLockedValue { state in
            defer { state.refusals = [:] }
            return state.refusals
        }
        guard !refusals.isEmpty else {
            return false
        }
        let text = refusals.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.rawValue): \($0.value)" }
        logger.warning("Webhooks were refused", metadata: ["webhook.refusals": "\(text.joined(separator: ", "))"])
        return true
    }

    /// The handler of a new connection.
    func connection() -> WebhookConnection {
        WebhookConnection(
            limits: configuration.limits,
            decide: { headers, body in
                WebhookSignature.verdict(
                    headers,
                    body: body,
                    secrets: self.state.withLockedValue { $0.secrets },
                    now: Int64(self.time.now().timeIntervalSince1970)
                )
            },
            note: note
        )
    }

    /// Rings before the webhook is answered with 200.
    ///
    /// The ring is only in memory, yet nothing is lost with it, if the daemon ends before it has asked Stripe: the next
    /// start asks for all events since the stored cursor, and so does each regular round.
    private func note(_ verdict: WebhookSignature.Verdict) {
        switch verdict {
        case .genuine:
            configuration.ring()
        case .refused(let refusal):
            state.withLockedValue { $0.refusals[refusal, default: 0] += 1 }
            logger.debug("A webhook was refused", metadata: ["webhook.refusal": "\(refusal.rawValue)"])
        }
    }
}

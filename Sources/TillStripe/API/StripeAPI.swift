import FoundationEssentials
package import Logging
import NIOConcurrencyHelpers
import NIOCore
package import TillEngine
import TillHTTP
package import TillModel

/// Calls Stripe's API. Any task may use it.
package final class StripeAPI: Sendable {
    /// Stripe's own address.
    package static let address = "https://api.stripe.com"
    /// The version of the API that the calls and answers follow (https://docs.stripe.com/api/versioning).
    package static let version = "2025-03-31.basil"

    /// The longest body of an answer: a hundred PaymentIntents with their objects have about a fifth of this.
    private static let bodyMaximum = 4 << 20
    /// The keys that are used for one object.
    private static let keysMaximum = 5

    private struct State {
        var key: StripeKey
        /// Whether the key is known to belong to the right account.
        var isProven: Bool
    }

    private let address: String
    private let state: NIOLockedValueBox<State>
    private let client: HTTPClient
    private let pace: RequestPace
    private let time: any TimeSource
    private let logger: Logger

    /// - Parameters:
    ///   - address: Where the API is: ``address``, or a stand-in's on loopback.
    ///   - isProven: Whether the key is known to belong to the right account. No other call is sent before.
    ///   - time: The clock by which the rate of calls is limited.
    ///   - isPacedAsOne: Whether all endpoints share one limit, as in Stripe's test mode.
    /// - Throws: `resourceExhausted` if there is no memory for connections.
    package init(
        address: String = StripeAPI.address,
        key: StripeKey,
        isProven: Bool,
        logger: Logger,
        time: any TimeSource = SystemTime(),
        isPacedAsOne: Bool = false
    ) throws(TillError) {
        self.address = address
        state = NIOLockedValueBox(State(key: key, isProven: isProven))
        self.logger = logger
        self.time = time
        pace = RequestPace(time: time, isShared: isPacedAsOne)
        do {
            client = try HTTPClient(
                HTTPClient.Configuration(
                    connectTimeout: .seconds(10),
                    idleTimeout: .seconds(30),
                    requestTimeout: .seconds(80),
                    connectionsMaximum: 16
                )
            )
        } catch {
            throw TillError(.resourceExhausted, "The client of Stripe's API cannot be set up: \(error).")
        }
    }

    /// The key of the start, as long as it is not known to belong to the right account.
    var unprovenKey: StripeKey? {
        state.withLockedValue { $0.isProven ? nil : $0.key }
    }

    /// Uses a key that is known to belong to the right account for all later calls.
    package func use(_ key: StripeKey) {
        state.withLockedValue { $0 = State(key: key, isProven: true) }
    }

    /// The identity of the account that a key belongs to.
    ///
    /// - Throws: `permissionDenied` if Stripe does not accept the key, or `unavailable` if it cannot be asked.
    package func accountID(of key: StripeKey) async throws(TillError) -> String {
        do throws(StripeFailure) {
            let id = try await send(.get("/v1/account"), as: StripeAccount.self, key: key).id
            // The ledger keeps it.
            guard !id.containsNUL else {
                throw .unknown("the account's id has the character U+0000")
            }
            return id
        } catch .unauthorized(let error) {
            throw TillError(.permissionDenied, "Stripe does not accept the key: \(error.summary)")
        } catch {
            throw TillError(.unavailable, "Stripe's account is unknown: \(error.reason).")
        }
    }

    /// Makes an object, with a new key once Stripe only repeats for the old one that it failed.
    ///
    /// - Parameter exists: Looks for the object among those that earlier keys may have made; nil if it is not there, or if
    ///   another one is harmless.
    func make<Object: Decodable & Sendable>(
        _ call: StripeCall,
        as type: Object.Type,
        orFind exists: () async throws(StripeFailure) -> Object? = { () throws(StripeFailure) in nil }
    ) async throws(StripeFailure) -> Object {
        var call = call
        while true {
            do throws(StripeFailure) {
                return try await send(call, as: type)
            } catch {
                guard error.isReplayedServerError, call.keyNumber < Self.keysMaximum else {
                    throw error
                }
                if let found = try await exists() {
                    return found
                }
                call.keyNumber += 1
            }
        }
    }

    func send<Object: Decodable & Sendable>(
        _ call: StripeCall,
        as type: Object.Type,
        key: StripeKey? = nil
    ) async throws(StripeFailure) -> Object {
        let answer = try await answer(to: call, key: key)
        guard answer.status == 200 else {
            let failure = answer.failure
            log(failure, call, answer)
            throw failure
        }
        do {
            return try JSONDecoder().decode(type, from: answer.body)
        } catch {
            throw .unknown("the answer to \(call.endpoint) is not as documented (\(error))")
        }
    }

    /// Sends a call, and returns the answer with any status.
    package func answer(to call: StripeCall, key: StripeKey? = nil) async throws(StripeFailure) -> StripeAnswer {
        let (current, isProven) = state.withLockedValue { ($0.key, $0.isProven) }
        guard key != nil || isProven else {
            throw .busy(StripeAnswer.pause)
        }
        try await waitForTurn(call)
        do {
            let response = try await client.send(request(call, key ?? current))
            let body = Data(try await response.body.collect(upTo: Self.bodyMaximum).readableBytesView)
            return StripeAnswer(status: response.status, headers: response.headers, body: body)
        } catch HTTPFailure.url {
            throw .unreachable("the address \(address) is not a URL")
        } catch HTTPFailure.unreachable(let reason) {
            throw .unreachable(reason)
        } catch {
            throw .unknown("\(error)")
        }
    }

    private func waitForTurn(_ call: StripeCall) async throws(StripeFailure) {
        switch pace.admit(call) {
        case .refuse(let pause):
            throw .busy(pause)
        case .send(let wait) where wait > .zero:
            guard (try? await time.sleep(for: wait)) != nil else {
                throw .unreachable("the call was cancelled")
            }
        case .send:
            break
        }
    }

    private func request(_ call: StripeCall, _ key: StripeKey) -> HTTPRequest {
        var headers = HTTPHeaders([
            ("Authorization", key.withText { "Bearer \($0)" }), ("Stripe-Version", Self.version),
            ("User-Agent", "Till"),
        ])
        guard call.isPost else {
            let query = call.fields.isEmpty ? "" : "?\(call.form)"
            return .get("\(address)\(call.path)\(query)", headers: headers)
        }
        headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        if let key = call.numberedKey {
            headers.add(name: "Idempotency-Key", value: key)
        }
        return .post(
            "\(address)\(call.path)",
            headers: headers,
            body: Array(call.form.utf8),
            isIdempotent: call.key != nil
        )
    }

    private func log(_ failure: StripeFailure, _ call: StripeCall, _ answer: StripeAnswer) {
        let metadata: Logger.Metadata = [
            "stripe.call": "\(call.endpoint)", "stripe.request": "\(answer.headers.first(name: "request-id") ?? "")",
            "stripe.status": "\(answer.status)",
        ]
        switch failure {
        case .unauthorized:
            logger.error("\(failure.reason)", metadata: metadata)
        case .refused, .busy, .unreachable, .serverError, .unknown:
            logger.notice("\(failure.reason)", metadata: metadata)
        }
    }
}

private struct StripeAccount: Decodable {
    var id: String
}

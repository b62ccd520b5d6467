import FoundationEssentials
import Logging
import StripeStandIn
import Synchronization
import Testing
import TillCrypto
import TillEngine
import TillModel

@testable import TillStripe

/// A provider that charges at a stand-in for Stripe, with one clock for both.
struct StripeSite: Sendable {
    /// The stand-in's clock. Waits are over at once.
    struct Clock: TimeSource {
        let control: StripeControl

        func now() -> Date {
            Date(timeIntervalSince1970: Double(control.now))
        }

        func sleep(for duration: Duration) async throws {
            try Task.checkCancellation()
        }
    }

    /// Keeps what is logged.
    struct Log: LogHandler {
        final class Records: Sendable {
            private let events = Mutex<[LogEvent]>([])

            func add(_ event: LogEvent) {
                events.withLock { $0.append(event) }
            }

            /// All records of a level as text.
            subscript(level: Logger.Level) -> [String] {
                events.withLock { events in
                    events.filter { $0.level == level }.map { "\($0.message) \($0.metadata ?? [:])" }
                }
            }

            var all: [String] {
                Logger.Level.allCases.flatMap { self[$0] }
            }
        }

        let records: Records
        var logLevel = Logger.Level.trace
        var metadata = Logger.Metadata()

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            records.add(event)
        }
    }

    static let ledger = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    static let key = "sk_test_standin"

    let control: StripeControl
    let api: StripeAPI
    let provider: StripeProvider
    let log: Log.Records

    /// - Parameter time: The provider's clock; nil for the stand-in's.
    static func with<Value>(
        _ configure: (inout Settings) -> Void = { _ in },
        returnURL: String = "https://shop.example.org/paid",
        time: (any TimeSource)? = nil,
        _ body: (StripeSite) async throws -> Value
    ) async throws -> Value {
        let server = try await StripeStandIn(
            .init { configuration in
                configuration.settings.clockStart = 1_800_000_000
                configure(&configuration.settings)
            }
        )
        do {
            let value = try await body(StripeSite(server, returnURL: returnURL, time: time))
            await server.stop()
            return value
        } catch {
            await server.stop()
            throw error
        }
    }

    private init(_ server: StripeStandIn, returnURL: String, time: (any TimeSource)?) throws {
        control = server.control
        log = Log.Records()
        let logger = Logger(label: "test") { [log] _ in Log(records: log) }
        let clock = time ?? Clock(control: server.control)
        api = try StripeAPI(
            address: server.address,
            key: StripeKey(Self.key),
            isProven: true,
            logger: logger,
            time: clock
        )
        let configuration = StripeProvider.Configuration(
            ledger: Self.ledger,
            account: server.control.settings.account,
            returnURL: returnURL
        ) { product in
            switch product {
            case "gone": nil
            case "monthly": StripeProvider.Product(name: "Monthly & more", renews: true)
            default: StripeProvider.Product(name: "100 coins", renews: false)
            }
        }
        provider = StripeProvider(api, configuration, logger: logger, time: clock)
    }
}

extension StripeSite {
    static func request(
        _ product: String = "coins",
        amount: Int64 = 499,
        currency: String = "EUR",
        quantity: Int = 1
    ) -> ChargeRequest {
        ChargeRequest(
            paymentID: .version7(),
            application: "org.example.game",
            account: "uid:1000",
            productID: product,
            quantity: quantity,
            amount: amount,
            currency: currency
        )
    }

    /// Prepares a charge, and returns its name.
    func prepare(_ request: ChargeRequest, renewing previous: String? = nil) async throws -> String {
        guard case .ready(let reference) = await provider.prepare(request, renewing: previous) else {
            throw TillError(.failedPrecondition, "It was not prepared.")
        }
        return reference
    }

    /// Makes a purchase that its payer has paid for, and returns the name of the payment.
    func purchase(_ request: ChargeRequest = request(), with method: String = "pm_card_visa") async throws -> String {
        let session = try await prepare(request)
        guard control.pay(session, with: method) == .completed,
            case .settled(.succeeded(let payment)) = await provider.query(request, by: session)
        else {
            throw TillError(.failedPrecondition, "It was not paid.")
        }
        return payment
    }

    /// Prepares a renewal that will be paid with this method, and returns its name.
    func renewal(_ request: ChargeRequest, with method: String) async throws -> String {
        let first = try await purchase(Self.request("monthly"))
        let customer = try #require(object(first)["customer"].string)
        try control.overwrite(customer, "invoice_settings", ["default_payment_method": .string(method)])
        return try await prepare(request, renewing: first)
    }

    func object(_ id: String) -> JSON {
        control.object(id) ?? .null
    }

    /// The charges that moved money.
    var charges: [Movement] {
        control.movements().filter { $0.kind == .charge }
    }

    /// Methods and paths of the requests so far, with `*` for ids.
    var requests: [String] {
        control.requests().map { request in
            let parts = request.path.split(separator: "/").map { $0.contains("_") && $0.count > 20 ? "*" : String($0) }
            return "\(request.method) /\(parts.joined(separator: "/"))"
        }
    }
}

extension StripeKey {
    init(_ text: String) throws(TillError) {
        var bytes = Array(text.utf8)
        try self.init(Secret(moving: &bytes))
    }
}

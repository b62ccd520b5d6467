/// What a test sets, and the stand-in's clock and counters. The book keeps them.
package struct Settings: Codable, Hashable, Sendable {
    /// A key of the API.
    package struct Key: Codable, Hashable, Sendable {
        package var key: String
        /// The permissions of a restricted key; nil allows everything. A write permission includes reading.
        package var permissions: Set<String>?
        package var isRevoked = false
        /// The account that `GET /v1/account` answers; nil is the stand-in's. The objects of all accounts are shared.
        package var account: String?

        package init(_ key: String, permissions: Set<String>? = nil, account: String? = nil) {
            self.key = key
            self.permissions = permissions
            self.account = account
        }

        func allows(_ permission: String) -> Bool {
            guard let permissions else {
                return true
            }
            let writing = permission.hasSuffix("_read") ? permission.dropLast(5) + "_write" : permission[...]
            return permissions.contains(permission) || permissions.contains(String(writing))
        }
    }

    /// How events differ from the changes that they report.
    package struct Events: Codable, Hashable, Sendable {
        /// The seconds until an event can be seen.
        package var delay = 0
        /// Whether each event exists twice, with two ids.
        package var areDuplicated = false
        /// Whether each event is listed before the one that precedes it.
        package var areDisordered = false
        /// The types that are never reported; `*` is all.
        package var droppedTypes: Set<String> = []

        package init() {}

        func drops(_ type: String) -> Bool {
            droppedTypes.contains("*") || droppedTypes.contains(type)
        }
    }

    /// A receiver of webhooks. The URL is `http://127.0.0.1:PORT/PATH`, `unix:SOCKET` or
    /// `unix:SOCKET:/PATH`.
    package struct Endpoint: Codable, Hashable, Sendable {
        package var url: String
        package var secrets: [String]

        package init(url: String, secrets: [String]) {
            self.url = url
            self.secrets = secrets
        }
    }

    package var account = "acct_1StandInTill0001"
    package var keys = [Key("sk_test_standin")]
    /// The Unix time at the start; nil is the system's time.
    package var clockStart: Int?
    /// The seconds that the clock was moved forward.
    package var clockOffset = 0
    /// The seconds until a payment with an asynchronous method succeeds or fails.
    package var processingDuration = 3 * 24 * 60 * 60
    package var processingSucceeds = true
    /// The seconds until a pending refund succeeds, or until one that fails does.
    package var refundDuration = 24 * 60 * 60
    /// The seconds by which the search is behind: at Stripe, one minute to one hour.
    package var searchLag = 60
    /// The requests per second and endpoint; nil is any number. Stripe's limit is 25 in test mode.
    package var rateLimit: Int?
    /// The seconds after which an idempotency key is forgotten. Stripe keeps them for a day at least.
    package var keyLifetime = 24 * 60 * 60
    package var events = Events()
    package var webhooks: [Endpoint] = []
    package var seed: UInt64 = 1
    /// The number of ids so far.
    var counter: UInt64 = 0

    package init() {}

    func now(system: Int) -> Int {
        (clockStart ?? system) + clockOffset
    }
}

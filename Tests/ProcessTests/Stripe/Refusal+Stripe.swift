import FaultRuns
import Foundation
import Glibc
import ProcessTesting

/// What must never meet Stripe. Nothing is sent: no address of a refused start is reachable.
extension Refusal {
    static let stripe =
        keys + configurations + webhooks + [
            Refusal(
                "a price that Stripe cannot take",
                status: EX_CONFIG,
                words: { _ in "Stripe cannot charge as little" }
            ) {
                site in
                try site.stripe(.test) + ["--setting", "storefront=JPN"]
            },
            Refusal("a ledger of the simulated provider", status: EX_CONFIG, words: { _ in "the provider simulated" }) {
                site in
                try await site.makeLedger()
                return try site.stripe(.test)
            },
            Refusal("a clock that was moved ahead", status: EX_CONFIG, words: { _ in "clock was moved ahead" }) {
                site in
                let daemon = try await site.startServingDaemon()
                let options = ["clock", "advance", "1d", "--socket", site.socket]
                let till = try site.start("till", Binaries.command, options, log: "till.log")
                _ = await till.exit()
                daemon.signal(SIGTERM)
                _ = await daemon.exit()
                return try site.stripe(.live) + production
            },
        ]

    private static let production = ["--receipt-environment", "Production", "--receipt-app-id", "1"]

    private static let keys = [
        Refusal("no key", status: EX_CONFIG, words: { _ in "stripe.key-file is missing" }) { _ in
            ["--provider", "stripe", "--stripe-return-url", "https://shop.example.org"]
        },
        Refusal("a missing file of the key", status: EX_CONFIG, words: { "no file \($0.path("key"))" }) { site in
            let options = try site.stripe(.test)
            try FileManager.default.removeItem(atPath: site.path("key"))
            return options
        },
        Refusal("a key that others can read", status: EX_CONFIG, words: { "chmod 600 \($0.path("key"))" }) { site in
            let options = try site.stripe(.test)
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: site.path("key"))
            return options
        },
        Refusal("a publishable key", status: EX_CONFIG, words: { _ in "not a secret key of Stripe" }) { site in
            try site.stripe(key: "pk_test_abcdef")
        },
        Refusal("a key that may do everything", status: EX_CONFIG, words: { _ in "use a restricted key" }) { site in
            try site.stripe(key: "sk_live_abcdef") + production
        },
    ]

    private static let configurations = [
        Refusal("options of the simulated provider", status: EX_CONFIG, words: { _ in "simulated.*" }) { site in
            try site.stripe(.test) + ["--simulated-decline", "a"]
        },
        Refusal("no page to return to", status: EX_CONFIG, words: { _ in "stripe.return-url is missing" }) { site in
            try site.stripe(.test, page: nil)
        },
        Refusal("a page without TLS", status: EX_CONFIG, words: { _ in "begins with https://" }) { site in
            try site.stripe(.test, page: "http://shop.example.org")
        },
        Refusal("a page that is not an address", status: EX_CONFIG, words: { _ in "begins with https://" }) { site in
            try site.stripe(.test, page: "shop")
        },
        Refusal("a live key for another address", status: EX_CONFIG, words: { _ in "stripe.address" }) { site in
            try site.stripe(.live) + production + ["--stripe-address", "https://127.0.0.1:1"]
        },
        Refusal("a live key and receipts of the sandbox", status: EX_CONFIG, words: { _ in "to Production" }) { site in
            try site.stripe(.live)
        },
        Refusal("a live key and accelerated time", status: EX_CONFIG, words: { _ in "setting time-rate" }) { site in
            try site.stripe(.live) + production + ["--setting", "time-rate=5"]
        },
        Refusal("a live key and failing transactions", status: EX_CONFIG, words: { _ in "setting fail-tr" }) { site in
            try site.stripe(.live) + production + ["--setting", "fail-transactions=true"]
        },
        Refusal("a live key and failing renewals", status: EX_CONFIG, words: { _ in "setting billing-retry" }) { site in
            try site.stripe(.live) + production + ["--setting", "billing-retry=true"]
        },
        Refusal("a live key and interruptions", status: EX_CONFIG, words: { _ in "setting interrupted-" }) { site in
            try site.stripe(.live) + production + ["--setting", "interrupted-purchases=true"]
        },
        Refusal("a live key without dialogs", status: EX_CONFIG, words: { _ in "setting disable-dialogs" }) { site in
            try site.stripe(.live) + production + ["--setting", "disable-dialogs=true"]
        },
        Refusal("a deadline that Stripe does not allow", status: EX_CONFIG, words: { _ in "payer-deadline" }) { site in
            try site.stripe(.test) + ["--stripe-payer-deadline", "1800"]
        },
    ]
}

extension Refusal {
    private static let webhooks = [
        Refusal("webhooks without secrets", status: EX_CONFIG, words: { _ in "stripe.webhook-secrets-file is missing" })
        { site in
            try site.stripe(.test) + ["--stripe-webhook-address", "127.0.0.1:8480"]
        },
        Refusal("secrets without webhooks", status: EX_CONFIG, words: { _ in "without stripe.webhook-address" }) {
            site in
            try site.stripe(.test) + site.webhooks(at: "", secrets: ["whsec_a"]).suffix(2)
        },
        Refusal(
            "webhooks at an address of other machines",
            status: EX_CONFIG,
            words: { _ in "Invalid stripe.webhook-address 0.0.0.0:8480: use unix:PATH, 127.0.0.1:PORT or [::1]:PORT" }
        ) { site in
            try site.stripe(.test) + site.webhooks(at: "0.0.0.0:8480", secrets: ["whsec_a"])
        },
        Refusal("secrets that others can read", status: EX_CONFIG, words: { "chmod 600 \($0.path("secrets"))" }) {
            site in
            let options = try site.stripe(.test) + site.webhooks(at: "127.0.0.1:8480", secrets: ["whsec_a"])
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: site.path("secrets"))
            return options
        },
        Refusal("a key as a signing secret", status: EX_CONFIG, words: { _ in "begin with whsec_" }) { site in
            try site.stripe(.test) + site.webhooks(at: "127.0.0.1:8480", secrets: ["rk_test_abcdef"])
        },
        Refusal("four signing secrets", status: EX_CONFIG, words: { _ in "use 1 to 3, one in each line" }) { site in
            try site.stripe(.test)
                + site.webhooks(at: "127.0.0.1:8480", secrets: ["whsec_a", "whsec_b", "whsec_c", "whsec_d"])
        },
    ]
}

extension Site {
    /// The options of a daemon that charges through Stripe, at an address where nothing listens.
    ///
    /// - Parameter page: Where the payer returns to; nil for none.
    func stripe(
        _ mode: StripeMode,
        page: String? = "https://shop.example.org/paid",
        address: String = "http://127.0.0.1:1"
    ) throws -> [String] {
        let options = try stripe(key: mode == .live ? "rk_live_abcdef" : "rk_test_abcdef", page: page)
        return options + (mode == .live ? [] : ["--stripe-address", address])
    }

    func stripe(key: String, page: String? = "https://shop.example.org/paid") throws -> [String] {
        let file = path("key")
        try Data("\(key)\n".utf8).write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        return ["--provider", "stripe", "--stripe-key-file", file] + (page.map { ["--stripe-return-url", $0] } ?? [])
    }

    enum StripeMode {
        case test, live
    }
}

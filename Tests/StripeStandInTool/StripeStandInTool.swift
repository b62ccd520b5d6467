import ArgumentParser
import Foundation
import StripeStandIn

@main struct StripeStandInTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "till-stripe-stand-in",
        abstract: "Serve a stand-in for Stripe's API on 127.0.0.1."
    )

    @Option(help: "Listen on this port; 0 is any.") var port = 0
    @Option(help: "Keep the state in this SQLite file.") var book: String?
    @Option(help: "Start the clock at this Unix time and stop it.") var seedClock: Int?
    @Option(help: "Make ids from this number; random by default.") var seed: UInt64?
    @Option(help: "Accept this secret key; may be repeated.") var key: [String] = []
    @Option(help: "Be this account.") var account: String?
    @Option(help: "Limit requests per second and endpoint.") var rateLimit: Int?
    @Option(help: "Settle refunds after so many seconds.") var refundSeconds: Int?
    @Option(help: "Send webhooks to this URL or unix:SOCKET.") var webhook: String?
    @Option(help: "Sign webhooks with this secret; may be repeated.") var webhookSecret: [String] = []

    func run() async throws {
        let server = try await StripeStandIn(.init(configure))
        print("Listening on \(server.address)")
        fflush(nil)
        let (forever, _) = AsyncStream.makeStream(of: Never.self)
        for await _ in forever {}
    }

    private func configure(_ configuration: inout StripeStandIn.Configuration) {
        configuration.port = port
        configuration.bookPath = book
        configuration.deliversWebhooks = webhook != nil
        configuration.settings.clockStart = seedClock
        configuration.settings.seed = seed ?? .random(in: 0 ... .max)
        configuration.settings.rateLimit = rateLimit
        configuration.settings.account = account ?? configuration.settings.account
        configuration.settings.refundDuration = refundSeconds ?? configuration.settings.refundDuration
        if !key.isEmpty {
            configuration.settings.keys = key.map { Settings.Key($0) }
        }
        if let webhook {
            configuration.settings.webhooks = [Settings.Endpoint(url: webhook, secrets: webhookSecret)]
        }
    }
}

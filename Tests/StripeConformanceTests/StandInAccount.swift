import FoundationEssentials
import StripeStandIn
import TillCrypto
import TillEngine
import TillStripe

@testable import StripeConformance

/// An account of a stand-in in this process. Its clock moves only while a check waits.
enum StandInAccount {
    static let key = "sk_test_standin"

    private struct Clock: TimeSource {
        let control: StripeControl

        func now() -> Date {
            Date(timeIntervalSince1970: Double(control.now))
        }

        func sleep(for duration: Duration) async throws {
            try Task.checkCancellation()
            control.advance(by: duration)
        }
    }

    /// - Parameter alter: Changes the stand-in's behaviour.
    static func differences(
        _ check: Check,
        _ alter: (StripeControl) -> Void = { _ in }
    ) async throws -> [Difference] {
        try await with(alter) { account, _ in try await check.differences(at: account) }
    }

    static func with<Value>(
        _ alter: (StripeControl) -> Void = { _ in },
        _ body: (ConformanceAccount, StripeControl) async throws -> Value
    ) async throws -> Value {
        let server = try await StripeStandIn(
            .init { configuration in
                configuration.settings.clockStart = 1_800_000_000
                configuration.settings.keys = [Settings.Key(key)]
                // As in test mode, where nothing takes days.
                configuration.settings.refundDuration = 10
            }
        )
        do {
            alter(server.control)
            let clock = Clock(control: server.control)
            let account = try await ConformanceAccount(
                at: server.address,
                stripeKey(key),
                patience: .seconds(60),
                time: clock
            )
            let value = try await body(account, server.control)
            await server.stop()
            return value
        } catch {
            await server.stop()
            throw error
        }
    }

    static func stripeKey(_ text: String) throws -> StripeKey {
        var bytes = Array(text.utf8)
        return try StripeKey(Secret(moving: &bytes))
    }
}

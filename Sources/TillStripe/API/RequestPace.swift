import FoundationEssentials
import NIOConcurrencyHelpers
import TillEngine

/// Limits the rate of calls for each endpoint or for all together, below Stripe's own limits (https://docs.stripe.com/rate-limits).
///
/// Calls that nobody waits for, such as those of renewals, are sent only while others need not wait for them.
final class RequestPace: Sendable {
    /// Calls per second for each endpoint. Stripe allows 25 in test mode, and more in live mode.
    static let rate = 20.0
    /// So many seconds of calls may be sent at once. With the rate, any second has at most 24 calls.
    static let burst = 0.15
    /// The part of the burst that calls may use which are not urgent.
    static let unhurriedShare = 0.6
    /// How long an urgent call waits for its turn, in seconds.
    static let waitMaximum = 2.0
    /// After how many seconds a call that was not sent may come again. The engine asks within a minute.
    static let returns = 1.0...50.0

    enum Admission: Hashable, Sendable {
        /// To be sent after so long, which may be 0.
        case send(after: Duration)
        /// Not to be sent; the same call may come again after so long.
        case refuse(Duration)
    }

    fileprivate struct Load {
        /// When all calls so far will have had their turn, in seconds since 1970.
        var end = 0.0
        /// The part of ``RequestPace/returns`` at which the last refused call may come again.
        var returning = 0.0
    }

    private let time: any TimeSource
    private let isShared: Bool
    private let loads = NIOLockedValueBox<[String: Load]>([:])

    /// - Parameter isShared: Whether all endpoints share one limit. Then all calls are urgent, because one after another is
    ///   sent.
    init(time: any TimeSource, isShared: Bool = false) {
        self.time = time
        self.isShared = isShared
    }

    func admit(_ call: StripeCall) -> Admission {
        let now = time.now().timeIntervalSince1970
        return loads.withLockedValue { loads in
            loads[isShared ? "" : call.endpoint, default: Load()].admit(isUrgent: isShared || call.isUrgent, now: now)
        }
    }
}

extension RequestPace.Load {
    fileprivate mutating func admit(isUrgent: Bool, now: TimeInterval) -> RequestPace.Admission {
        let turn = 1 / RequestPace.rate
        // Nothing lies further ahead than this, unless the clock was set back since.
        end = min(max(end, now), now + RequestPace.burst + RequestPace.waitMaximum + turn)
        let wait = end - now - RequestPace.burst * (isUrgent ? 1 : RequestPace.unhurriedShare)
        guard wait > (isUrgent ? RequestPace.waitMaximum : 0) else {
            end += turn
            return .send(after: .seconds(max(0, wait)))
        }
        // Multiples of the golden ratio lie evenly between 0 and 1, however many there are.
        returning = (returning + Self.goldenRatio).truncatingRemainder(dividingBy: 1)
        let (first, last) = (RequestPace.returns.lowerBound, RequestPace.returns.upperBound)
        return .refuse(.seconds(first + returning * (last - first)))
    }

    private static let goldenRatio = 0.618_033_988_749_895
}

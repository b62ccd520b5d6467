import NIOHTTP1

/// Why a request to the webhook listener has no effect.
package enum WebhookRefusal: String, Hashable, Sendable, CaseIterable {
    case unknownPath = "unknown path"
    case wrongMethod = "wrong method"
    case malformedRequest = "malformed request"
    case headTooLarge = "headers too large"
    case bodyTooLarge = "body too large"
    case tooSlow = "too slow"
    case noSignature = "no signature"
    case malformedSignature = "malformed signature"
    case wrongSignature = "wrong signature"
    /// It is old or in the future, although it is signed with a secret: a replay, or a clock is wrong.
    case wrongTime = "wrong time"

    var status: HTTPResponseStatus {
        switch self {
        case .unknownPath: .notFound
        case .wrongMethod: .methodNotAllowed
        case .headTooLarge: .requestHeaderFieldsTooLarge
        case .bodyTooLarge: .payloadTooLarge
        case .tooSlow: .requestTimeout
        case .malformedRequest, .noSignature, .malformedSignature, .wrongSignature, .wrongTime: .badRequest
        }
    }
}

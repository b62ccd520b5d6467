import TillModel

extension ChargeStep {
    /// What the provider's answer came to, for the history.
    var text: String {
        switch self {
        case .settle(.succeeded(let reference)): "done, as \(reference)"
        case .settle(.declined(let error)): "declined: \(error.message)"
        case .settle(.abandoned(let reason)): "unknown, and given up: \(reason)"
        case .charge: "the provider knows nothing of it"
        case .retry: "no clear answer; to be asked again"
        }
    }
}

import TillModel

extension ReviewOutcome {
    /// For the audit log and histories.
    var text: String {
        switch self {
        case .charged(let reference?): "charged as \(reference)"
        case .charged(nil): "charged"
        case .notCharged: "not charged"
        }
    }
}

import Foundation
import TillModel

extension Price {
    /// The price as people of the locale (BCP 47) write it, for example `$4.99` or `4,99 €`.
    func localized(_ locale: String) -> String {
        amount.formatted(.currency(code: currency).locale(Locale(identifier: locale)))
    }
}

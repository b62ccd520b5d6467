import TillModel
import TillOutput

/// A payment method.
struct PaymentMethodLine: TableRow {
    static let headings = ["TYPE", "BRAND", "LAST DIGITS", "EXPIRES", "DEFAULT", "ID"]

    let method: PaymentMethod

    var columns: [String] {
        [
            method.type, method.brand ?? "-", method.lastDigits ?? "-", method.expirationMonth ?? "-",
            method.isDefault ? "yes" : "no", method.id,
        ]
    }

    var json: JSONObject {
        [
            "id": method.id,
            "type": method.type,
            "brand": method.brand,
            "last_digits": method.lastDigits,
            "expiration_month": method.expirationMonth,
            "is_default": method.isDefault,
        ]
    }
}

/// The page for payment methods.
struct MethodPageLine: OutputLine {
    let page: String

    var text: String {
        page
    }

    var json: JSONObject {
        ["page": page]
    }
}

/// A payment method that was removed.
struct RemovedMethodLine: OutputLine {
    let id: String

    var text: String {
        "\(id)  removed"
    }

    var json: JSONObject {
        ["id": id]
    }
}

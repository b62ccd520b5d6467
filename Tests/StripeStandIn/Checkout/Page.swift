/// The pages that the payer's browser shows. Their controls have ids, for browsers that tests drive.
enum Page {
    static func document(_ title: String, _ body: String) -> StripeAnswer {
        StripeAnswer(
            html: """
                <!DOCTYPE html>
                <html lang="en"><head><meta charset="utf-8"><title>\(escaped(title))</title></head>
                <body><h1 id="title">\(escaped(title))</h1>
                \(body)
                </body></html>

                """
        )
    }

    static func message(_ title: String, _ text: String) -> StripeAnswer {
        document(title, "<p id=\"message\">\(escaped(text))</p>")
    }

    /// The page of an open session.
    static func session(_ session: Fields, error: String?) -> StripeAnswer {
        let isSetup = session.text("mode") == "setup"
        let amount = "\(session.number("amount_total")) \(session.text("currency").uppercased())"
        let price =
            isSetup
            ? "" : "<p id=\"product\">\(escaped(session.text("_product")))</p><p id=\"amount\">\(amount)</p>"
        return document(
            isSetup ? "Set up a payment method" : "Pay",
            """
            \(price)\(error.map { "<p id=\"error\">\(escaped($0))</p>" } ?? "")
            <form method="post">
            \(card)
            <button id="pay" name="action" value="pay">\(isSetup ? "Save" : "Pay")</button>
            <button id="cancel" name="action" value="cancel" formnovalidate>Cancel</button>
            </form>
            """
        )
    }

    /// The bank's page for 3-D Secure.
    static func authentication(_ id: String) -> StripeAnswer {
        document(
            "Authenticate",
            """
            <p id="intent">\(escaped(id))</p>
            <form method="post">
            <button id="authenticate" name="action" value="complete">Complete</button>
            <button id="fail" name="action" value="fail">Fail</button>
            </form>
            """
        )
    }

    /// The customer portal: the saved methods, with a form for each, and a form that adds one.
    static func portal(_ portal: Fields, _ saved: [Fields]) -> StripeAnswer {
        let rows = saved.map { method in
            """
            <li>\(escaped(method.text("_test"))) <form method="post">
            <input type="hidden" name="payment_method" value="\(method.id)">
            <button id="default-\(method.id)" name="action" value="default">Use</button>
            <button id="remove-\(method.id)" name="action" value="remove">Remove</button></form></li>
            """
        }
        return document(
            "Payment methods",
            """
            <ul id="methods">\(rows.joined())</ul>
            <form method="post">
            \(card)
            <button id="add" name="action" value="add">Add</button>
            </form>
            <a id="return" href="\(escaped(portal.text("return_url")))">Return</a>
            """
        )
    }

    private static let card = """
        <label>Card number <input id="card-number" name="number" autocomplete="cc-number" required></label>
        <label>Expiry <input id="card-expiry" name="expiry" autocomplete="cc-exp" placeholder="MM/YY" required></label>
        <label>CVC <input id="card-cvc" name="cvc" autocomplete="cc-csc" required></label>
        """

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}

import TillEngine
import TillModel
import TillOutput

/// The settings and the clock of the store. They can be changed only where the store is simulated.
struct StorePage {
    let engine: PaymentEngine
    let viewer: ConsoleSessions.Session

    private var mayChange: Bool {
        engine.isSimulated && !viewer.isReadOnly
    }

    func html() -> HTML {
        let settings = engine.storeSettings()
        let rows = settings.map { setting -> [HTML] in
            ["\(setting.name)", "\(setting.value)", "\(setting.domain)", setting.isChanged ? "changed" : "configured"]
        }
        let table = HTML.table("Settings", ["Name", "Value", "Values", "Origin"], rows, orElse: "There are none.")
        let note: HTML = engine.isSimulated ? "" : "<p>Only a simulated store's settings and clock can be changed.</p>"
        let forms = [mayChange ? change(settings) : "", mayChange ? buy : "", viewer.isReadOnly ? "" : promote]
        return "<h1>Store</h1>\(note)\(clock)\(forms)\(table)"
    }

    private var clock: HTML {
        let reading = engine.clock()
        let advance = Form(
            target: .action(.advanceClock),
            button: "Advance…",
            fields: [
                .number(name: "amount", label: "Advance by", value: 1, in: 1...10_000),
                .choice(
                    name: "unit",
                    label: "Unit",
                    options: ClockUnit.allCases.map { ($0.rawValue, $0.rawValue) },
                    chosen: ClockUnit.days.rawValue
                ),
                .reason,
            ],
            question: "Everything that is due by then happens now: renewals, deadlines. The clock cannot be set back."
        )
        let details = HTML.details([
            ("Store's clock", HTML.date(reading.now)),
            ("Ahead of this machine's", "\(reading.offset.spanText)"),
        ])
        return "<h2>Clock</h2>\(details)\(mayChange && reading.isAdjustable ? advance.html : "")"
    }

    private func change(_ settings: [Setting]) -> HTML {
        let form = Form(
            target: .action(.changeSetting),
            button: "Change",
            fields: [
                .choice(name: "name", label: "Setting", options: settings.map { ($0.name, $0.name) }),
                .text(name: "value", label: "Value (empty for the configured one)"),
                .reason,
            ]
        )
        return "<h2>Change a setting</h2>\(form.html)"
    }

    private static let queueFields: [Form.Field] = [
        .text(name: "application", label: "Application", isRequired: true),
        .text(name: "account", label: "Account", isRequired: true),
        .reason,
    ]

    private var buy: HTML {
        let form = Form(
            target: .action(.buy),
            button: "Buy",
            fields: [
                .text(name: "product", label: "Product", isRequired: true),
                .number(name: "quantity", label: "Quantity", value: 1, in: Payment.quantityRange),
            ] + Self.queueFields
        )
        return """
            <h2>Buy for an account</h2><p>As if the purchase had been made outside the application, which finds it in its \
            queue. No money moves.</p>\(form.html)
            """
    }

    private var promote: HTML {
        let form = Form(
            target: .action(.promote),
            button: "Offer",
            fields: [.text(name: "product", label: "Product", isRequired: true)] + Self.queueFields
        )
        return """
            <h2>Offer a promoted purchase</h2><p>The application decides whether to add the payment, now or when it \
            next runs.</p>\(form.html)
            """
    }
}

/// The operations of the API that the stand-in has.
enum Operation: CaseIterable, Sendable {
    case account
    case createCustomer, customer, updateCustomer, customerMethods
    case method, attachMethod, detachMethod
    case createSession, session, sessions, expireSession
    case setupIntent
    case createIntent, intent, intents, searchIntents, confirmIntent, cancelIntent
    case createRefund, refund, refunds
    case charge, charges
    case dispute, disputes, submitEvidence
    case warning, warnings
    case event, events
    case createPortal
}

/// An endpoint, its documented parameters and the permission that a restricted key needs.
struct Route: Sendable {
    var operation: Operation
    var method: String
    /// The segments of the path; `*` is an id.
    var path: [String]
    var permission: String
    var parameters: [String]

    init(_ operation: Operation, _ endpoint: String, _ permission: String, _ parameters: String...) {
        self.operation = operation
        let parts = endpoint.split(separator: " ")
        method = String(parts[0])
        path = parts[1].split(separator: "/").map(String.init)
        self.permission = permission
        self.parameters = parameters.flatMap { $0.split(separator: " ").map(String.init) } + ["expand[]"]
    }

    /// Returns the id in the path, an empty text if the path has none, or nil if the path is another.
    func id(in segments: [String]) -> String? {
        guard segments.count == path.count else {
            return nil
        }
        var id = ""
        for (pattern, segment) in zip(path, segments) {
            if pattern == "*" {
                id = segment
            } else if pattern != segment {
                return nil
            }
        }
        return id
    }

    /// The route of a request. A literal path precedes one with an id.
    static func find(_ request: StripeRequest) -> (route: Route, id: String)? {
        let segments = request.path.split(separator: "/").map(String.init)
        let found = all.filter { $0.method == request.method }.compactMap { route in
            route.id(in: segments).map { (route: route, id: $0) }
        }
        return found.first { $0.id.isEmpty } ?? found.first
    }
}

extension StripeRequest {
    /// The id in the path of a request that changes an object.
    var changedObject: String? {
        guard method == "POST", let id = Route.find(self)?.id, !id.isEmpty else {
            return nil
        }
        return id
    }
}

extension Route {
    private static let paging = "limit starting_after ending_before"
    private static let created = "created created[gt] created[gte] created[lt] created[lte]"

    static let all: [Route] =
        payments + sessions + [
            Route(.account, "GET /v1/account", "account_read"),
            Route(.createCustomer, "POST /v1/customers", "customer_write", customer, "tax_id_data* test_clock"),
            Route(.customer, "GET /v1/customers/*", "customer_read"),
            Route(.updateCustomer, "POST /v1/customers/*", "customer_write", customer, "default_source"),
            Route(
                .customerMethods,
                "GET /v1/customers/*/payment_methods",
                "payment_method_read",
                paging,
                "type allow_redisplay"
            ),
            Route(.method, "GET /v1/payment_methods/*", "payment_method_read"),
            Route(
                .attachMethod,
                "POST /v1/payment_methods/*/attach",
                "payment_method_write",
                "customer customer_account"
            ),
            Route(.detachMethod, "POST /v1/payment_methods/*/detach", "payment_method_write"),
            Route(.dispute, "GET /v1/disputes/*", "dispute_read"),
            Route(.submitEvidence, "POST /v1/disputes/*", "dispute_write", "evidence* metadata* submit"),
            Route(.disputes, "GET /v1/disputes", "dispute_read", paging, created, "charge payment_intent"),
            Route(.warning, "GET /v1/radar/early_fraud_warnings/*", "radar_read"),
            Route(
                .warnings,
                "GET /v1/radar/early_fraud_warnings",
                "radar_read",
                paging,
                created,
                "charge payment_intent"
            ),
            Route(.event, "GET /v1/events/*", "event_read"),
            Route(.events, "GET /v1/events", "event_read", paging, created, "type types[] delivery_success"),
            Route(
                .createPortal,
                "POST /v1/billing_portal/sessions",
                "customer_portal_write",
                "customer customer_account configuration flow_data* locale on_behalf_of return_url"
            ),
        ]

    private static let customer = """
        address* balance business_name cash_balance* description email individual_name invoice_prefix \
        invoice_settings[custom_fields]* invoice_settings[default_payment_method] invoice_settings[footer] \
        invoice_settings[rendering_options]* metadata* name next_invoice_sequence payment_method phone \
        preferred_locales[] shipping* source tax* tax_exempt
        """

    private static let payments = [
        Route(
            .createIntent,
            "POST /v1/payment_intents",
            "payment_intent_write",
            confirmation,
            """
            amount application_fee_amount automatic_payment_methods[allow_redirects] \
            automatic_payment_methods[enabled] confirm confirmation_method currency customer customer_account \
            description metadata* on_behalf_of payment_method_configuration statement_descriptor \
            statement_descriptor_suffix transfer_data* transfer_group
            """
        ),
        Route(.intent, "GET /v1/payment_intents/*", "payment_intent_read", "client_secret"),
        Route(
            .intents,
            "GET /v1/payment_intents",
            "payment_intent_read",
            paging,
            created,
            "customer customer_account"
        ),
        Route(.searchIntents, "GET /v1/payment_intents/search", "payment_intent_read", "query limit page"),
        Route(
            .confirmIntent,
            "POST /v1/payment_intents/*/confirm",
            "payment_intent_write",
            confirmation,
            "amount_to_confirm"
        ),
        Route(.cancelIntent, "POST /v1/payment_intents/*/cancel", "payment_intent_write", "cancellation_reason"),
        Route(
            .createRefund,
            "POST /v1/refunds",
            "charge_write",
            """
            amount charge currency customer instructions_email metadata* origin payment_intent reason \
            refund_application_fee reverse_transfer
            """
        ),
        Route(.refund, "GET /v1/refunds/*", "charge_read"),
        Route(.refunds, "GET /v1/refunds", "charge_read", paging, created, "charge payment_intent"),
        Route(.charge, "GET /v1/charges/*", "charge_read"),
        Route(.charges, "GET /v1/charges", "charge_read", paging, created, "customer payment_intent transfer_group"),
        Route(.setupIntent, "GET /v1/setup_intents/*", "setup_intent_read", "client_secret"),
    ]

    private static let confirmation = """
        amount_details* capture_method confirmation_token error_on_requires_action excluded_payment_method_types[] \
        hooks* mandate mandate_data* off_session payment_details* payment_method payment_method_data* \
        payment_method_options* payment_method_types[] radar_options* receipt_email return_url setup_future_usage \
        shipping* use_stripe_sdk
        """

    private static let sessions = [
        Route(.createSession, "POST /v1/checkout/sessions", "checkout_session_write", session, lineItem, intentData),
        Route(.session, "GET /v1/checkout/sessions/*", "checkout_session_read"),
        Route(
            .sessions,
            "GET /v1/checkout/sessions",
            "checkout_session_read",
            paging,
            created,
            "customer customer_account customer_details* payment_intent payment_link status subscription"
        ),
        Route(.expireSession, "POST /v1/checkout/sessions/*/expire", "checkout_session_write"),
    ]

    private static let session = """
        adaptive_pricing[enabled] after_expiration* allow_promotion_codes automatic_tax* billing_address_collection \
        branding_settings* cancel_url client_reference_id consent_collection* currency custom_fields* custom_text* \
        customer customer_account customer_creation customer_email customer_update* discounts* \
        excluded_payment_method_types[] expires_at invoice_creation* locale metadata* mode name_collection* \
        optional_items* origin_context payment_method_collection payment_method_configuration payment_method_data* \
        payment_method_options* payment_method_types[] permissions* phone_number_collection* redirect_on_completion \
        return_url saved_payment_method_options* shipping_address_collection* shipping_options* submit_type \
        subscription_data* success_url tax_id_collection* ui_mode wallet_options*
        """

    private static let lineItem = """
        line_items[][adjustable_quantity]* line_items[][dynamic_tax_rates]* line_items[][metadata]* \
        line_items[][price] line_items[][price_data][currency] line_items[][price_data][product] \
        line_items[][price_data][product_data][description] line_items[][price_data][product_data][images]* \
        line_items[][price_data][product_data][metadata]* line_items[][price_data][product_data][name] \
        line_items[][price_data][product_data][tax_code] line_items[][price_data][product_data][unit_label] \
        line_items[][price_data][recurring]* line_items[][price_data][tax_behavior] \
        line_items[][price_data][unit_amount] line_items[][price_data][unit_amount_decimal] \
        line_items[][quantity] line_items[][tax_rates]*
        """

    private static let intentData = """
        payment_intent_data[application_fee_amount] payment_intent_data[capture_method] \
        payment_intent_data[description] payment_intent_data[metadata]* payment_intent_data[on_behalf_of] \
        payment_intent_data[receipt_email] payment_intent_data[setup_future_usage] payment_intent_data[shipping]* \
        payment_intent_data[statement_descriptor] payment_intent_data[statement_descriptor_suffix] \
        payment_intent_data[transfer_data]* payment_intent_data[transfer_group] setup_intent_data[description] \
        setup_intent_data[metadata]* setup_intent_data[on_behalf_of]
        """
}

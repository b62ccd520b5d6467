extension World {
    /// Answers a request of the payer's browser; nil if the path is not one of its pages.
    mutating func page(_ request: StripeRequest) -> StripeAnswer? {
        let parts = request.path.split(separator: "/").map(String.init)
        guard parts.count == 2 else {
            return nil
        }
        let isPost = request.method == "POST"
        switch parts[0] {
        case "pay": return isPost ? postSession(parts[1], request.fields) : showSession(parts[1])
        case "authenticate": return isPost ? postAuthentication(parts[1], request.fields) : showAuthentication(parts[1])
        case "portal": return portal(parts[1], isPost ? request.fields : nil)
        default: return nil
        }
    }

    private func showSession(_ id: String, error: String? = nil) -> StripeAnswer {
        guard let session = find(.session, id) else {
            return Page.message("Not found", "There is no such session.")
        }
        guard session.status == "open" else {
            return Page.message("Session \(session.status)", "This session is \(session.status).")
        }
        return Page.session(session, error: error)
    }

    private mutating func postSession(_ id: String, _ fields: FormFields) -> StripeAnswer {
        guard let session = find(.session, id), session.status == "open" else {
            return showSession(id)
        }
        if fields.string("action") == "cancel" {
            return StripeAnswer(redirect: session["cancel_url"]?.string ?? "/pay/\(id)")
        }
        let method: String
        do throws(TypedCard.Problem) {
            method = try TypedCard(fields).method(at: now)
        } catch {
            return showSession(id, error: error.rawValue)
        }
        switch submit(id, method) {
        case .completed, .processing: return StripeAnswer(redirect: session.successAddress)
        case .authenticationRequired(let intent): return StripeAnswer(redirect: "/authenticate/\(intent)")
        case .declined(let code): return showSession(id, error: "The payment method was declined: \(code).")
        case .unavailable(let reason): return showSession(id, error: reason)
        }
    }

    private func showAuthentication(_ id: String) -> StripeAnswer {
        guard let intent = objects[id], intent.status == "requires_action" else {
            return Page.message("Nothing to authenticate", "This payment does not wait for authentication.")
        }
        return Page.authentication(id)
    }

    private mutating func postAuthentication(_ id: String, _ fields: FormFields) -> StripeAnswer {
        let intent = objects[id] ?? [:]
        let session = find(.session, intent.text("_session"))
        let result = finishAuthentication(id, succeeds: fields.string("action") == "complete")
        if case .unavailable = result {
            return showAuthentication(id)
        }
        if let session {
            return StripeAnswer(redirect: result == .completed ? session.successAddress : "/pay/\(session.id)")
        }
        if let address = intent["next_action"]?["redirect_to_url"]["return_url"].string {
            let separator = address.contains("?") ? "&" : "?"
            return StripeAnswer(redirect: "\(address)\(separator)payment_intent=\(id)")
        }
        return Page.message("Authentication", result == .completed ? "The payment succeeded." : "The payment failed.")
    }
}

extension World {
    /// The flow in which the payer adds a method, which becomes the default one.
    private static let addingFlow = "payment_method_update"

    mutating func createPortal(_ call: Call) throws(StripeFailure) -> JSON {
        let id = try call.fields.require("customer")
        let customer = try require(.customer, id, param: "customer", status: 400)
        let flow = call.fields.string("flow_data[type]")
        guard flow == nil || flow == Self.addingFlow else {
            throw .invalid("The stand-in has the flow \(Self.addingFlow) alone.", param: "flow_data[type]")
        }
        var portal = make(
            .portal,
            "bps_1",
            [
                "configuration": "bpc_1StandIn", "customer": .string(customer.id),
                "flow": flow.map { ["type": .string($0)] } ?? nil, "locale": nil, "on_behalf_of": nil,
                "return_url": JSON(call.fields.string("return_url")),
                "_after": JSON(call.fields.string("flow_data[after_completion][redirect][return_url]")),
            ]
        )
        portal["url"] = .string("\(origin.baseURL)/portal/\(portal.id)")
        save(portal, event: "billing_portal.session.created")
        return render(portal)
    }

    /// Shows the customer portal after the action of a form.
    private mutating func portal(_ id: String, _ fields: FormFields?) -> StripeAnswer? {
        guard let portal = find(.portal, id) else {
            return nil
        }
        let customer = portal.text("customer")
        origin.isLive = portal["livemode"] == true
        if let fields {
            let added = try? change(customer, fields)
            if portal["flow"]?["type"].string == Self.addingFlow, let added {
                setDefault(added, of: customer)
                return StripeAnswer(redirect: portal.text("_after"))
            }
        }
        return Page.portal(portal, all(.method).filter { $0.text("customer") == customer })
    }

    /// - Returns: The id of a method that was added.
    private mutating func change(_ customer: String, _ fields: FormFields) throws -> String? {
        let method = fields.string("payment_method") ?? ""
        switch fields.string("action") {
        case "add":
            let typed = try TypedCard(fields).method(at: now)
            let added = try usableMethod(typed, customer, "payment_method")
            keep(added, for: customer, isSetUp: true)
            return added.id
        case "remove":
            _ = try detachMethod(Call(operation: .detachMethod, path: "", id: method, fields: FormFields()))
        case "default":
            setDefault(method, of: customer)
        default:
            break
        }
        return nil
    }

    private mutating func setDefault(_ method: String, of customer: String) {
        let fields = FormFields([Self.defaultMethod: method])
        _ = try? updateCustomer(Call(operation: .updateCustomer, path: "", id: customer, fields: fields))
    }
}

extension Fields {
    /// The address to which a completed session sends the payer.
    fileprivate var successAddress: String {
        text("success_url").replacing("{CHECKOUT_SESSION_ID}", with: id)
    }
}

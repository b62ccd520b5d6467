import NIOCore
import NIOPosix

/// A command that the state does not allow.
package struct ControlError: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    init(_ description: String) {
        self.description = description
    }
}

/// What a test does to the stand-in: its clock and faults, the payer, the bank and the Dashboard.
package struct StripeControl: Sendable {
    let backend: Backend
    private let deliversWebhooks: Bool

    init(_ backend: Backend, deliversWebhooks: Bool) {
        self.backend = backend
        self.deliversWebhooks = deliversWebhooks
    }

    /// The Unix time on the stand-in's clock.
    package var now: Int { backend.change { $0.now } }
    package var settings: Settings { backend.read { $0.settings } }

    /// Moves the clock forward. What is due by then happens.
    package func advance(by duration: Duration) {
        backend.change { $0.advance(by: Int(duration.components.seconds)) }
        deliverAutomatically()
    }

    package func change(_ body: (inout Settings) -> Void) {
        backend.change { body(&$0.settings) }
    }

    /// Adds a key, or replaces one with the same text.
    package func addKey(_ key: String, permissions: Set<String>? = nil, account: String? = nil) {
        change { settings in
            settings.keys.removeAll { $0.key == key }
            settings.keys.append(Settings.Key(key, permissions: permissions, account: account))
        }
    }

    package func revokeKey(_ key: String) {
        change { settings in
            for index in settings.keys.indices where settings.keys[index].key == key {
                settings.keys[index].isRevoked = true
            }
        }
    }

    /// Adds a fault for later requests. Faults are not in the book.
    package func addFault(_ fault: Fault) {
        backend.add(fault)
    }

    package func clearFaults() {
        backend.clearFaults()
    }

    /// The number of late and slow requests that wait to be released.
    package var heldCount: Int { backend.heldCount }

    /// Lets the requests arrive that a fault holds back.
    package func releaseHeld() {
        backend.releaseHeld()
    }

    /// All money that moved, oldest first.
    package func movements() -> [Movement] {
        backend.read(\.movements)
    }

    /// All requests to the API, oldest first.
    package func requests() -> [LoggedRequest] {
        backend.read(\.requests)
    }

    /// Returns an object of any kind as the API shows it.
    package func object(_ id: String) -> JSON? {
        backend.change { world in world.objects[id].map(world.render) }
    }
}

extension StripeControl {
    /// The ids of the open sessions, oldest first.
    package func openSessions() -> [String] {
        backend.read { world in world.all(.session).filter { $0.status == "open" }.map(\.id) }
    }

    /// Opens the payer's page of a session, and returns its text.
    package func openPage(_ session: String) -> String? {
        backend.page(StripeRequest(method: "GET", path: "/pay/\(session)", fields: FormFields()))?.body
    }

    /// Submits the payer's page with a test method.
    package func pay(_ session: String, with method: String = "pm_card_visa") -> PayerResult {
        backend.change { $0.submit(session, method) }
    }

    /// Submits a form on a page of the customer portal, and returns the address that the browser opens; nil if it stays.
    package func submit(_ fields: [String: String], toPortal url: String) -> String? {
        let path = url.replacing(/^https?:\/\/[^\/]+/, with: "")
        let request = StripeRequest(method: "POST", path: path, fields: FormFields(fields))
        return backend.page(request)?.headers["location"]
    }

    /// Leaves the payer's page, and returns the address that the browser opens. The session stays open.
    package func leave(_ session: String) throws(ControlError) -> String {
        guard let address = object(session)?["cancel_url"].string else {
            throw ControlError("Session \(session) has no cancel_url.")
        }
        return address
    }

    /// Ends the payer's 3-D Secure of a PaymentIntent or a SetupIntent.
    package func authenticate(_ intent: String, succeeds: Bool = true) -> PayerResult {
        backend.change { $0.finishAuthentication(intent, succeeds: succeeds) }
    }

    /// Ends a payment whose method is asynchronous.
    package func completePayment(_ intent: String, succeeds: Bool = true) throws(ControlError) {
        guard backend.change({ $0.completeProcessing(intent, succeeds: succeeds) }) != nil else {
            throw ControlError("Intent \(intent) is not processing.")
        }
    }

    /// Refunds a payment in the Dashboard, and returns the refund's id.
    /// - Parameter amount: Nil is all that is left.
    package func refundInDashboard(_ intent: String, amount: Int? = nil) throws(ControlError) -> String {
        var fields = ["payment_intent": intent]
        fields["amount"] = amount.map(String.init)
        let call = Call(operation: .createRefund, path: "", id: "", fields: FormFields(fields))
        let result: Result<JSON, StripeFailure> = backend.change { world in
            world.origin.isLive = world.objects[intent]?["livemode"] == true
            do throws(StripeFailure) {
                return .success(try world.createRefund(call))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let refund): return refund["id"].string ?? ""
        case .failure(let failure): throw ControlError(failure.fields.text("message"))
        }
    }

    /// Changes a refund to `succeeded`, `failed`, `canceled` or `requires_action`.
    package func settleRefund(_ refund: String, _ status: String) throws(ControlError) {
        guard backend.change({ $0.settleRefund(refund, status) }) != nil else {
            throw ControlError("Refund \(refund) cannot change to \(status).")
        }
    }

    /// Disputes a payment, and returns the dispute's id.
    package func openDispute(
        _ intent: String,
        reason: String = "fraudulent",
        isInquiry: Bool = false
    ) throws(ControlError) -> String {
        let dispute = backend.change { world in
            let charge = world.objects[intent]?.text("latest_charge") ?? ""
            return world.openDispute(charge, reason: reason, isInquiry: isInquiry)
        }
        guard let dispute else {
            throw ControlError("Intent \(intent) has no successful charge.")
        }
        return dispute.id
    }

    /// The ids of a payment's disputes, the oldest first.
    package func disputes(of intent: String) -> [String] {
        backend.read { world in world.all(.dispute).filter { $0.text("payment_intent") == intent }.map(\.id) }
    }

    /// Reports an early fraud warning for a payment, and returns its id.
    package func warnOfFraud(_ intent: String) throws(ControlError) -> String {
        let warning = backend.change { world in
            world.warnOfFraud(world.objects[intent]?.text("latest_charge") ?? "")
        }
        guard let warning else {
            throw ControlError("Intent \(intent) has no successful charge.")
        }
        return warning.id
    }

    /// Reports that a card network has updated a payment method, such as the expiry of a card.
    package func updateMethod(_ method: String) throws(ControlError) {
        let isFound = backend.change { world in
            guard let object = world.find(.method, method) else {
                return false
            }
            world.save(object, event: "payment_method.automatically_updated")
            return true
        }
        guard isFound else {
            throw ControlError("There is no payment method \(method).")
        }
    }

    /// Changes a field of an object to any value, to test how clients take answers that Stripe should not give.
    package func overwrite(_ id: String, _ field: String, _ value: JSON) throws(ControlError) {
        let isFound = backend.change { world in
            guard var object = world.objects[id] else {
                return false
            }
            object[field] = value
            world.save(object)
            return true
        }
        guard isFound else {
            throw ControlError("There is no object \(id).")
        }
    }

    /// Turns an inquiry into a chargeback.
    package func escalateDispute(_ dispute: String) throws(ControlError) {
        guard backend.change({ $0.escalateDispute(dispute) }) != nil else {
            throw ControlError("Dispute \(dispute) is not an open inquiry.")
        }
    }

    /// Closes a dispute as `won` or `lost`, and an inquiry as `warning_closed` or `prevented`.
    package func closeDispute(_ dispute: String, _ status: String) throws(ControlError) {
        guard backend.change({ $0.closeDispute(dispute, status) }) != nil else {
            throw ControlError("Dispute \(dispute) cannot be closed as \(status).")
        }
    }
}

extension StripeControl {
    /// Sends the webhooks that are due, in order, and returns the status of each answer; nil if there was none.
    package func deliverWebhooks() async -> [Int?] {
        (try? await startDeliveries(on: MultiThreadedEventLoopGroup.singleton.any()).get()) ?? []
    }

    func deliverAutomatically() {
        if deliversWebhooks {
            _ = startDeliveries(on: MultiThreadedEventLoopGroup.singleton.any())
        }
    }

    func startDeliveries(on loop: any EventLoop) -> EventLoopFuture<[Int?]> {
        let due = backend.change { $0.startDeliveries() }
        let copies = settings.events.areDuplicated ? 2 : 1
        return due.reduce(loop.makeSucceededFuture([Int?]())) { sent, webhook in
            (0..<copies).reduce(sent) { sent, _ in
                sent.flatMap { statuses in
                    WebhookSender.send(webhook, on: loop).map { [backend] status in
                        backend.change { $0.finishDelivery(webhook.delivery, status) }
                        return statuses + [status]
                    }
                }
            }
        }
    }
}

import FoundationEssentials
import TillModel
import TillWire

/// A method of the daemon, and a request for it with identities of another user.
///
/// The switches have a case for every method, so the compiler requires one for each new method.
struct ProbeMethod {
    var service: String
    var method: String
    var request: [UInt8]
    var streams = false

    private init(_ service: String, _ method: String, _ request: some WireMessage, streams: Bool = false) {
        self.service = service
        self.method = method
        self.request = request.wireBytes()
        self.streams = streams
    }

    /// Returns all methods except Hello, which comes first and once.
    static func all(foreign: UUID, observer: UInt32) -> [ProbeMethod] {
        PaymentQueueMethod.allCases.filter { $0 != .hello }.map { queue($0, foreign, observer) }
            + ProductsMethod.allCases.map(products) + DownloadsMethod.allCases.map { downloads($0, foreign) }
            + ReceiptsMethod.allCases.map(receipts)
            + AuthorizationMethod.allCases.map { authorization($0, foreign) }
            + PaymentMethodsMethod.allCases.map(paymentMethods)
            + OperatorMethod.allCases.map { `operator`($0, foreign) }
            + HealthMethod.allCases.map { ProbeMethod(HealthMethod.service, $0.rawValue, HealthCheckRequest()) }
    }

    static func hello(_ application: String) -> ProbeMethod {
        queue(.hello, HelloRequest(application: application, client: "till-test-worker"))
    }

    private static func queue(_ method: PaymentQueueMethod, _ foreign: UUID, _ observer: UInt32) -> ProbeMethod {
        switch method {
        case .hello: hello("org.example.probe")
        case .canMakePayments: queue(method, CanMakePaymentsRequest())
        case .addPayment:
            // The payment has the identity of the foreign payment, but different content.
            queue(method, AddPaymentRequest(payment: Payment(id: foreign, productID: "org.example.other", quantity: 3)))
        case .cancelPayment: queue(method, CancelPaymentRequest(transactionID: foreign))
        case .finishTransaction:
            queue(method, FinishTransactionRequest(transactionID: foreign, finishesOlderRenewals: true))
        case .listTransactions: queue(method, ListTransactionsRequest(includesFinished: true))
        case .restoreCompletedTransactions:
            queue(method, RestoreCompletedTransactionsRequest(restoreID: .version7(), applicationUsername: nil))
        case .restoreStatus: queue(method, RestoreStatusRequest(restoreID: foreign))
        case .cancelRestore: queue(method, CancelRestoreRequest(restoreID: foreign))
        case .entitlements: queue(method, EntitlementsRequest())
        case .subscriptions: queue(method, SubscriptionsRequest())
        case .observe: queue(method, ObserveRequest(observerID: observer), streams: true)
        case .acknowledge: queue(method, AcknowledgeRequest(observerID: observer &+ 1_000_000, revision: 1))
        case .cancel: queue(method, CancelRequest(callID: "none"))
        }
    }

    private static func queue(
        _ method: PaymentQueueMethod,
        _ request: some WireMessage,
        streams: Bool = false
    ) -> ProbeMethod {
        ProbeMethod(PaymentQueueMethod.service, method.rawValue, request, streams: streams)
    }

    private static func products(_ method: ProductsMethod) -> ProbeMethod {
        switch method {
        case .products: ProbeMethod(ProductsMethod.service, method.rawValue, ProductsRequest())
        case .storefront: ProbeMethod(ProductsMethod.service, method.rawValue, StorefrontRequest())
        }
    }

    private static func downloads(_ method: DownloadsMethod, _ foreign: UUID) -> ProbeMethod {
        switch method {
        case .listDownloads: ProbeMethod(DownloadsMethod.service, method.rawValue, ListDownloadsRequest())
        case .start, .pause, .resume, .cancel:
            ProbeMethod(DownloadsMethod.service, method.rawValue, DownloadsRequest(downloadIDs: [foreign]))
        }
    }

    private static func receipts(_ method: ReceiptsMethod) -> ProbeMethod {
        switch method {
        case .applicationReceipt:
            ProbeMethod(ReceiptsMethod.service, method.rawValue, ApplicationReceiptRequest(), streams: true)
        case .rootCertificate: ProbeMethod(ReceiptsMethod.service, method.rawValue, RootCertificateRequest())
        }
    }

    private static func authorization(_ method: AuthorizationMethod, _ foreign: UUID) -> ProbeMethod {
        switch method {
        case .listRequests:
            ProbeMethod(AuthorizationMethod.service, method.rawValue, ListAuthorizationRequestsRequest())
        case .watch: ProbeMethod(AuthorizationMethod.service, method.rawValue, WatchRequest(), streams: true)
        case .answer:
            ProbeMethod(
                AuthorizationMethod.service,
                method.rawValue,
                AnswerRequest(id: foreign, kind: .purchase, approves: true, reason: "probe")
            )
        case .paymentPage:
            ProbeMethod(AuthorizationMethod.service, method.rawValue, PaymentPageRequest(id: foreign))
        }
    }

    private static func paymentMethods(_ method: PaymentMethodsMethod) -> ProbeMethod {
        let service = PaymentMethodsMethod.service
        return switch method {
        case .listPaymentMethods: ProbeMethod(service, method.rawValue, ListPaymentMethodsRequest())
        case .removePaymentMethod:
            ProbeMethod(service, method.rawValue, RemovePaymentMethodRequest(paymentMethodID: "pm_foreign"))
        case .paymentMethodPage: ProbeMethod(service, method.rawValue, PaymentMethodPageRequest(task: .manage))
        }
    }

    private static func `operator`(_ method: OperatorMethod, _ foreign: UUID) -> ProbeMethod {
        switch method {
        case .listTransactions: `operator`(method, FindTransactionsRequest())
        case .explain: `operator`(method, ExplainRequest(transactionID: foreign))
        case .resolve: `operator`(method, ResolveRequest(transactionID: foreign, reason: "probe"))
        case .refund: `operator`(method, RefundRequest(order: RefundOrder(transactionID: foreign), reason: "probe"))
        case .expireSubscription, .renewSubscription, .enableAutoRenew, .disableAutoRenew:
            `operator`(method, SubscriptionActionRequest(transactionID: foreign, reason: "probe"))
        case .requestPriceConsent:
            `operator`(method, RequestPriceConsentRequest(transactionID: foreign, reason: "probe"))
        case .answerPriceConsent:
            `operator`(method, AnswerPriceConsentRequest(transactionID: foreign, reason: "probe", agrees: true))
        case .promote:
            `operator`(
                method,
                PromoteRequest(
                    application: "org.example.alpha",
                    account: "uid:0",
                    payment: Payment(productID: "org.example.coins"),
                    reason: "probe"
                )
            )
        case .settings: `operator`(method, SettingsRequest())
        case .changeSettings: `operator`(method, ChangeSettingsRequest(changes: [], reason: "probe"))
        case .clock: `operator`(method, ClockRequest())
        case .advanceClock: `operator`(method, AdvanceClockRequest(by: .milliseconds(1), reason: "probe"))
        case .reconcile: `operator`(method, ReconcileRequest())
        case .rebuildReceipt: `operator`(method, RebuildReceiptRequest(transactionID: foreign, reason: "probe"))
        case .audit: `operator`(method, AuditRequest())
        case .openConsole: `operator`(method, OpenConsoleRequest())
        case .metrics: `operator`(method, MetricsRequest())
        case .hosts: `operator`(method, HostsRequest())
        case .backup:
            ProbeMethod(OperatorMethod.service, method.rawValue, BackupRequest(reason: "probe"), streams: true)
        case .export: ProbeMethod(OperatorMethod.service, method.rawValue, ExportRequest(), streams: true)
        }
    }

    private static func `operator`(_ method: OperatorMethod, _ request: some WireMessage) -> ProbeMethod {
        ProbeMethod(OperatorMethod.service, method.rawValue, request)
    }
}

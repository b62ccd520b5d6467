/// The status that each method returns to each kind of caller that asks for another user's data.
enum AccessTable {
    /// A kind of caller.
    enum Column {
        /// The caller may not use the daemon.
        case refused
        /// The caller may not act for the application that it names, but may for another.
        case otherApplication
        /// The caller has a queue, and runs in a sandbox.
        case confined
        case stranger
        case approver
        case `operator`
    }

    private enum Kind {
        /// For every process that can connect.
        case open
        case hello
        /// For every caller that the daemon serves.
        case catalogue
        case queue(stranger: String)
        case authorization(stranger: String)
        case `operator`(found: String)
    }

    static func answers(to column: Column) -> [String: String] {
        kinds.mapValues { answer($0, to: column) }
    }

    static var methods: Set<String> {
        Set(kinds.keys)
    }

    private static func answer(_ kind: Kind, to column: Column) -> String {
        switch (kind, column) {
        case (.open, _): "OK"
        case (_, .refused), (.hello, .otherApplication): "PERMISSION_DENIED"
        case (.hello, _), (.catalogue, _): "OK"
        case (_, .otherApplication): "FAILED_PRECONDITION"
        case (.queue(let answer), _): answer
        case (.authorization, .confined): "PERMISSION_DENIED"
        case (.authorization(let answer), .stranger): answer
        // An approver for others learns that there is no open question.
        case (.authorization(let answer), _): answer == "NOT_FOUND" ? "FAILED_PRECONDITION" : answer
        case (.operator(let answer), .operator): answer
        case (.operator, _): "PERMISSION_DENIED"
        }
    }

    private static let kinds: [String: Kind] = [
        "grpc.health.v1.Health/Check": .open,
        "till.v1.Products/Products": .catalogue,
        "till.v1.Products/Storefront": .catalogue,
        "till.v1.PaymentQueue/Hello": .hello,
        "till.v1.PaymentQueue/CanMakePayments": .queue(stranger: "OK"),
        "till.v1.PaymentQueue/AddPayment": .queue(stranger: "ALREADY_EXISTS"),
        "till.v1.PaymentQueue/CancelPayment": .queue(stranger: "NOT_FOUND"),
        "till.v1.PaymentQueue/FinishTransaction": .queue(stranger: "NOT_FOUND"),
        "till.v1.PaymentQueue/ListTransactions": .queue(stranger: "OK"),
        "till.v1.PaymentQueue/RestoreCompletedTransactions": .queue(stranger: "OK"),
        "till.v1.PaymentQueue/RestoreStatus": .queue(stranger: "NOT_FOUND"),
        "till.v1.PaymentQueue/CancelRestore": .queue(stranger: "NOT_FOUND"),
        "till.v1.PaymentQueue/Entitlements": .queue(stranger: "OK"),
        "till.v1.PaymentQueue/Subscriptions": .queue(stranger: "OK"),
        "till.v1.PaymentQueue/Observe": .queue(stranger: "OK"),
        "till.v1.PaymentQueue/Acknowledge": .queue(stranger: "NOT_FOUND"),
        "till.v1.PaymentQueue/Cancel": .queue(stranger: "OK"),
        "till.v1.Downloads/ListDownloads": .queue(stranger: "OK"),
        "till.v1.Downloads/Start": .queue(stranger: "NOT_FOUND"),
        "till.v1.Downloads/Pause": .queue(stranger: "NOT_FOUND"),
        "till.v1.Downloads/Resume": .queue(stranger: "NOT_FOUND"),
        "till.v1.Downloads/Cancel": .queue(stranger: "NOT_FOUND"),
        "till.v1.Receipts/ApplicationReceipt": .queue(stranger: "OK"),
        "till.v1.Receipts/RootCertificate": .queue(stranger: "OK"),
        "till.v1.Authorization/ListRequests": .authorization(stranger: "OK"),
        "till.v1.Authorization/Watch": .authorization(stranger: "OK"),
        "till.v1.Authorization/Answer": .authorization(stranger: "NOT_FOUND"),
        "till.v1.Authorization/PaymentPage": .authorization(stranger: "NOT_FOUND"),
        "till.v1.PaymentMethods/ListPaymentMethods": .authorization(stranger: "FAILED_PRECONDITION"),
        "till.v1.PaymentMethods/RemovePaymentMethod": .authorization(stranger: "FAILED_PRECONDITION"),
        "till.v1.PaymentMethods/PaymentMethodPage": .authorization(stranger: "FAILED_PRECONDITION"),
        "till.v1.Operator/ListTransactions": .operator(found: "OK"),
        "till.v1.Operator/Explain": .operator(found: "OK"),
        "till.v1.Operator/Resolve": .operator(found: "FAILED_PRECONDITION"),
        "till.v1.Operator/Refund": .operator(found: "OK"),
        "till.v1.Operator/ExpireSubscription": .operator(found: "NOT_FOUND"),
        "till.v1.Operator/RenewSubscription": .operator(found: "NOT_FOUND"),
        "till.v1.Operator/EnableAutoRenew": .operator(found: "NOT_FOUND"),
        "till.v1.Operator/DisableAutoRenew": .operator(found: "NOT_FOUND"),
        "till.v1.Operator/RequestPriceConsent": .operator(found: "NOT_FOUND"),
        "till.v1.Operator/AnswerPriceConsent": .operator(found: "NOT_FOUND"),
        "till.v1.Operator/Promote": .operator(found: "OK"),
        "till.v1.Operator/Settings": .operator(found: "OK"),
        "till.v1.Operator/ChangeSettings": .operator(found: "OK"),
        "till.v1.Operator/Clock": .operator(found: "OK"),
        "till.v1.Operator/AdvanceClock": .operator(found: "OK"),
        "till.v1.Operator/Reconcile": .operator(found: "OK"),
        "till.v1.Operator/RebuildReceipt": .operator(found: "OK"),
        "till.v1.Operator/Audit": .operator(found: "OK"),
        "till.v1.Operator/OpenConsole": .operator(found: "FAILED_PRECONDITION"),
        "till.v1.Operator/Metrics": .operator(found: "OK"),
        "till.v1.Operator/Hosts": .operator(found: "OK"),
        "till.v1.Operator/Backup": .operator(found: "OK"),
        "till.v1.Operator/Export": .operator(found: "OK"),
    ]
}

import TillModel
import TillWire

extension FuzzTarget {
    /// Any message of till.v1; the first byte selects the type.
    static let messages = FuzzTarget("messages") { input in
        guard let choice = input.first else { return }
        wireMessages[Int(choice) % wireMessages.count].readStably(Array(input.dropFirst()))
    }

    /// The messages in alphabetical order. Append new ones, so that the corpus keeps its meaning.
    static let wireMessages: [any WireMessage.Type] = [
        AcknowledgeRequest.self, AcknowledgeResponse.self, AddPaymentRequest.self, AddPaymentResponse.self,
        AdvanceClockRequest.self, AnswerPriceConsentRequest.self, AnswerRequest.self, AnswerResponse.self,
        ApplicationReceiptRequest.self, AppliedOffer.self, AuditLink.self, AuditRequest.self, AuditResponse.self,
        AuthorizationRequest.self, CanMakePaymentsRequest.self, CanMakePaymentsResponse.self,
        CancelPaymentRequest.self, CancelPaymentResponse.self, CancelRequest.self, CancelResponse.self,
        CancelRestoreRequest.self, ChangeSettingsRequest.self, ChargeSummary.self, ClockReading.self,
        ClockRequest.self, ConsoleInvitation.self, Download.self, DownloadError.self, DownloadsRequest.self,
        DownloadsResponse.self,
        DownloadsUpdated.self, Entitlement.self, EntitlementsRequest.self, EntitlementsResponse.self, EventBatch.self,
        ExplainRequest.self, Explanation.self, FindTransactionsRequest.self, FindTransactionsResponse.self,
        FinishTransactionRequest.self, FinishTransactionResponse.self, HealthCheckRequest.self,
        HealthCheckResponse.self, HelloRequest.self, HelloResponse.self, HistoryEntry.self, InvalidProduct.self,
        ListAuthorizationRequestsRequest.self, ListAuthorizationRequestsResponse.self, ListDownloadsRequest.self,
        ListDownloadsResponse.self, ListTransactionsRequest.self, ListTransactionsResponse.self, ObserveRequest.self,
        OpenConsoleRequest.self,
        OperatorTransaction.self, OriginalTransaction.self, Payment.self, PaymentDiscount.self, PaymentError.self,
        Price.self, Product.self, ProductContent.self, ProductsRequest.self, ProductsResponse.self,
        PromoteRequest.self, PromoteResponse.self, PurchaseIdentity.self, QueueEvent.self, RebuildReceiptRequest.self,
        RebuildReceiptResponse.self, ReceiptPart.self, ReconcileRequest.self, ReconciliationPage.self,
        ReconciliationRow.self, RefundRequest.self, RefundResponse.self, RefundSummary.self,
        RequestPriceConsentRequest.self, ResolveRequest.self, ResolveResponse.self,
        RestoreCompletedTransactionsRequest.self, RestoreCompletedTransactionsResponse.self, RestoreStatusRequest.self,
        Revocation.self, RootCertificateRequest.self, RootCertificateResponse.self, Setting.self, SettingChange.self,
        SettingsRequest.self, SettingsResponse.self, Storefront.self, StorefrontRequest.self,
        SubscriptionActionRequest.self, SubscriptionActionResponse.self, SubscriptionInfo.self, SubscriptionOffer.self,
        SubscriptionPeriod.self, SubscriptionStatus.self, SubscriptionTerm.self, SubscriptionsRequest.self,
        SubscriptionsResponse.self, Transaction.self, WatchRequest.self, WatchResponse.self, PaymentPageRequest.self,
        PaymentPageResponse.self, ListPaymentMethodsRequest.self, ListPaymentMethodsResponse.self, PaymentMethod.self,
        PaymentMethodPageRequest.self, PaymentMethodPageResponse.self, RemovePaymentMethodRequest.self,
        RemovePaymentMethodResponse.self, MetricsRequest.self, MetricsResponse.self, MetricSample.self,
        MetricLabel.self, HostsRequest.self, HostsResponse.self, LedgerHost.self,
        BackupRequest.self, BackupResponse.self, BackupSummary.self, ExportRequest.self, ExportResponse.self,
        LedgerEntry.self,
    ]
}

extension WireMessage {
    /// Reads any bytes. If they are valid, the message must round-trip.
    fileprivate static func readStably(_ bytes: [UInt8]) {
        guard let value = try? Self(wire: bytes) else { return }
        let written = value.wireBytes()
        promise((try? Self(wire: written)) == value, "a \(Self.self) round-trips")
        promise(value.wireBytes() == written, "the encoding of a \(Self.self) is deterministic")
    }
}

import TestValues
import TillModel
import TillWire
import Testing

@Suite struct RoundTripTests {
    @Test(arguments: 0..<200 as Range<UInt64>)
    func randomValuesComeBackUnchanged(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        try expectRoundTrip(AddPaymentRequest(payment: random.payment()))
        try expectRoundTrip(AddPaymentResponse(transaction: random.transaction()))
        try expectRoundTrip(EventBatch(revision: random.next(), events: random.list { $0.event() }))
        try expectRoundTrip(ListTransactionsResponse(transactions: random.list { $0.transaction() }))
        try expectRoundTrip(
            ProductsResponse(
                products: random.list { $0.product() },
                invalid: random.list { InvalidProduct(productID: $0.text(), reason: $0.text()) },
                nextPageToken: random.optional { $0.text(from: 1) }
            )
        )
        try expectRoundTrip(
            HelloRequest(application: random.text(), capabilities: random.list { $0.text() }, client: random.text())
        )
        try expectRoundTrip(
            ObserveRequest(
                observerID: UInt32(truncatingIfNeeded: random.next()),
                after: random.optional { $0.next() },
                window: random.number(),
                batchSize: random.number(),
                resumesInitialDelivery: random.flag(),
                collapsesRenewals: random.flag(),
                isPassive: random.flag()
            )
        )
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func randomValuesOfBuyingComeBackUnchanged(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        try expectRoundTrip(EntitlementsResponse(entitlements: random.list { $0.entitlement() }))
        try expectRoundTrip(SubscriptionsResponse(subscriptions: random.list { $0.status() }))
        try expectRoundTrip(WatchResponse(event: random.optional { $0.authorizationEvent() }))
        try expectRoundTrip(
            RestoreCompletedTransactionsResponse(
                restoreID: random.uuid(),
                revision: random.next(),
                state: random.element(of: RestoreState.self),
                restoredCount: random.number(),
                totalCount: random.number(),
                error: random.optional { $0.paymentError() }
            )
        )
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func randomValuesOfDownloadsMethodsAndReceiptsComeBackUnchanged(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        try expectRoundTrip(
            ListDownloadsResponse(
                downloads: random.list { $0.download() },
                nextPageToken: random.optional { $0.next() }
            )
        )
        try expectRoundTrip(DownloadsRequest(downloadIDs: random.list { $0.uuid() }))
        try expectRoundTrip(DownloadsResponse(downloads: random.list { $0.download() }))
        try expectRoundTrip(ListPaymentMethodsResponse(paymentMethods: random.list { $0.paymentMethod() }))
        try expectRoundTrip(ReceiptPart(data: random.bytes()))
        try expectRoundTrip(RootCertificateResponse(certificate: random.bytes()))
        try expectRoundTrip(RebuildReceiptRequest(transactionID: random.uuid(), reason: random.text()))
        try expectRoundTrip(RebuildReceiptResponse(transaction: random.transaction()))
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func randomValuesOfOperatorsComeBackUnchanged(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        try expectRoundTrip(FindTransactionsRequest(filter: random.filter(), pageSize: random.number()))
        try expectRoundTrip(random.explanation())
        try expectRoundTrip(
            ResolveRequest(transactionID: random.uuid(), reason: random.text(), outcome: random.review())
        )
        try expectRoundTrip(
            RequestPriceConsentRequest(
                transactionID: random.uuid(),
                reason: random.text(),
                amount: random.optional { $0.price().amount }
            )
        )
        try expectRoundTrip(
            ReconciliationPage(rows: random.list { $0.row() }, agrees: random.flag(), compared: 1, discarded: 2)
        )
        try expectRoundTrip(AuditResponse(links: random.list { $0.link() }))
        try expectRoundTrip(BackupRequest(reason: random.text(), withKeys: random.flag()))
        try expectRoundTrip(
            ExportRequest(since: random.optional { $0.date() }, until: random.optional { $0.date() })
        )
        try expectRoundTrip(ExportResponse(entries: random.list { $0.entry() }))
        try expectRoundTrip(BackupResponse(summary: random.optional { $0.backup() }, data: random.bytes()))
        try expectRoundTrip(HostsResponse(hosts: random.list { $0.host() }))
        try expectRoundTrip(
            MetricsResponse(
                samples: random.list { random in
                    MetricSample(
                        name: random.text(),
                        labels: random.list { MetricLabel(name: $0.text(), value: $0.text()) },
                        value: Double(random.minorUnits()) / 8
                    )
                }
            )
        )
        try expectRoundTrip(
            ClockReading(
                now: random.date(),
                offset: .milliseconds(random.minorUnits()),
                isAdjustable: random.flag()
            )
        )
        try expectRoundTrip(
            ChangeSettingsRequest(
                changes: random.list { SettingChange(name: $0.text(), value: $0.optional { $0.text() }) },
                resetAll: random.flag(),
                reason: random.text()
            )
        )
    }

    private func expectRoundTrip<Value: WireMessage>(_ value: Value) throws {
        #expect(try Value(wire: value.wireBytes()) == value)
    }

    @Test(arguments: 0..<500 as Range<UInt64>)
    func randomBytesAreReadOrRefused(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let bytes = random.bytes()
        for golden in GoldenTests.all {
            do throws(TillError) {
                #expect(try golden.isReadStably(bytes))
            } catch {
                #expect(error.code == .invalidArgument)
            }
        }
    }
}

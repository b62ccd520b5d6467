import FoundationEssentials
import TillModel
import TillWire

extension Golden {
    /// The messages of operator.proto.
    static let operators = operatorReading + operatorActing + operatorStore

    private static let operatorReading: [Golden] = [
        Golden(note: "for everything", FindTransactionsRequest(), ""),
        Golden(
            note: "for something",
            FindTransactionsRequest(
                filter: TransactionFilter(
                    application: "p",
                    account: "uid:1",
                    productID: "a.b",
                    state: .purchasing,
                    attention: .needsReview
                ),
                pageSize: 5,
                pageToken: 300
            ),
            "0A01 70 1205 7569643A31 1A03 612E62 2000 2803 3005 38AC02"
        ),
        Golden(
            FindTransactionsResponse(transactions: [Sample.operatorTransaction], nextPageToken: 7),
            """
            0A3E  # transactions
              0A01 70 1205 7569643A31  # application, account
              1A30  # transaction
                0A10 11111111111111111111111111111111 10AC02  # id, revision
                2219  # payment
                  0A10 11111111111111111111111111111111 1203 612E62  # id, product_id
                  1802  # quantity
              2001  # needs_review
            1007  # next_page_token
            """
        ),
        Golden(
            Sample.operatorTransaction,
            """
            0A01 70 1205 7569643A31  # application, account
            1A30  # transaction
              0A10 11111111111111111111111111111111 10AC02  # id, revision
              2219  # payment
                0A10 11111111111111111111111111111111 1203 612E62  # id, product_id
                1802  # quantity
            2001  # needs_review
            """
        ),
        Golden(ExplainRequest(transactionID: Sample.uuid(0x11)), "0A10 11111111111111111111111111111111"),
        Golden(
            Explanation(
                application: "p",
                account: "uid:1",
                transaction: Sample.transaction,
                sentence: "It waits.",
                actions: ["till why"],
                history: [Sample.history],
                charges: [Sample.charge],
                refunds: [Sample.refund]
            ),
            """
            0A01 70 1205 7569643A31  # application, account
            1A30  # transaction
              0A10 11111111111111111111111111111111 10AC02  # id, revision
              2219  # payment
                0A10 11111111111111111111111111111111 1203 612E62  # id, product_id
                1802  # quantity
            2209 49742077616974732E 2A08 74696C6C20776879  # sentence, actions
            320F 08AC0210011A0574696C6C64220164  # history
            3A24  # charges
              0A10 11111111111111111111111111111111 1006  # payment_id, state
              18AC02 2203 555344 2802 3201 63  # amount, currency, attempts, reference
              389003  # due_ms
            4226  # refunds
              0A10 66666666666666666666666666666666 1001 18AC02  # id, quantity, amount
              2203 555344 2801 3003 3A01 72  # currency, reason, state, reference
              409003  # created_ms
            """
        ),
        Golden(Sample.history, "08AC02 1001 1A05 74696C6C64 2201 64"),
        Golden(
            Sample.charge,
            """
            0A10 11111111111111111111111111111111 1006 18AC02  # payment_id, state, amount
            2203 555344 2802 3201 63 389003  # currency, attempts, reference, due_ms
            """
        ),
        Golden(
            Sample.refund,
            """
            0A10 66666666666666666666666666666666 1001 18AC02  # id, quantity, amount
            2203 555344 2801 3003 3A01 72  # currency, reason, state, reference
            409003  # created_ms
            """
        ),
        Golden(note: "from the start", ReconcileRequest(), ""),
        Golden(note: "from a page", ReconcileRequest(pageToken: 300), "08AC02"),
        Golden(
            as: "ReconcileResponse",
            ReconciliationPage(rows: [Sample.row], next: 7, agrees: true, compared: 300, discarded: 5),
            """
            0A28  # rows
              0A10 11111111111111111111111111111111 1004  # payment_id, finding
              1800 2000 28AC02  # ledger_state, ledger_amount, provider_amount
              3203 555344 3A01 63 4203 612E62  # currency, reference, product_id
            1007 1801 20AC02 2805  # next_page_token, agrees, compared, discarded
            """
        ),
        Golden(
            Sample.row,
            """
            0A10 11111111111111111111111111111111 1004  # payment_id, finding
            1800 2000 28AC02  # ledger_state, ledger_amount, provider_amount
            3203 555344 3A01 63 4203 612E62  # currency, reference, product_id
            """
        ),
        Golden(
            note: "of nothing",
            ReconciliationRow(paymentID: Sample.uuid(0x11), finding: .missingInLedger, currency: "USD"),
            "0A10 11111111111111111111111111111111 1002 3203 555344"
        ),
        Golden(AuditRequest(afterSequence: 300, limit: 5), "08AC02 1005"),
        Golden(OpenConsoleRequest(readOnly: true), "0801"),
        Golden(
            ConsoleInvitation(address: "a:1", secret: "s", validFor: .milliseconds(300)),
            "0A03 613A31 1201 73 18AC02"
        ),
        Golden(
            AuditResponse(links: [Sample.link]),
            "0A22 080110AC0218E8072206526566756E642A01733201643A01724201004A01FF520168"
        ),
        Golden(
            Sample.link,
            """
            0801 10AC02 18E807 2206 526566756E64  # sequence, date_ms, uid, action
            2A01 73 3201 64 3A01 72 4201 00  # subject, detail, reason, previous_hash
            4A01 FF 5201 68  # hash, host
            """
        ),
    ]

    private static let operatorActing: [Golden] = [
        Golden(
            note: "an interruption",
            ResolveRequest(transactionID: Sample.uuid(0x11), reason: "r"),
            "0A10 11111111111111111111111111111111 1201 72"
        ),
        Golden(
            note: "charged",
            ResolveRequest(transactionID: Sample.uuid(0x11), reason: "r", outcome: .charged(reference: "c")),
            "0A10 11111111111111111111111111111111 1201 72 1801 2201 63"
        ),
        Golden(
            note: "not charged",
            ResolveRequest(transactionID: Sample.uuid(0x11), reason: "r", outcome: .notCharged),
            "0A10 11111111111111111111111111111111 1201 72 1802"
        ),
        Golden(
            ResolveResponse(transaction: Sample.transaction),
            """
            0A30  # transaction
              0A10 11111111111111111111111111111111 10AC02  # id, revision
              2219  # payment
                0A10 11111111111111111111111111111111 1203 612E62  # id, product_id
                1802  # quantity
            """
        ),
        Golden(
            RefundRequest(
                order: RefundOrder(
                    id: Sample.uuid(0x66),
                    transactionID: Sample.uuid(0x11),
                    quantity: 1,
                    reason: .applicationIssue,
                    keepsMoney: true
                ),
                reason: "r"
            ),
            """
            0A10 66666666666666666666666666666666  # refund_id
            1210 11111111111111111111111111111111 1801  # transaction_id, quantity
            2001 2801 3201 72  # revocation_reason, keeps_money, reason
            """
        ),
        Golden(
            RefundResponse(refund: Sample.refund, transaction: Sample.transaction),
            """
            0A26  # refund
              0A10 66666666666666666666666666666666 1001 18AC02  # id, quantity, amount
              2203 555344 2801 3003 3A01 72  # currency, reason, state, reference
              409003  # created_ms
            1230  # transaction
              0A10 11111111111111111111111111111111 10AC02  # id, revision
              2219  # payment
                0A10 11111111111111111111111111111111 1203 612E62  # id, product_id
                1802  # quantity
            """
        ),
        Golden(
            SubscriptionActionRequest(transactionID: Sample.uuid(0x11), reason: "r"),
            "0A10 11111111111111111111111111111111 1201 72"
        ),
        Golden(
            note: "of the catalogue's price",
            RequestPriceConsentRequest(transactionID: Sample.uuid(0x11), reason: "r"),
            "0A10 11111111111111111111111111111111 1201 72"
        ),
        Golden(
            note: "of a price",
            RequestPriceConsentRequest(transactionID: Sample.uuid(0x11), reason: "r", amount: Sample.price.amount),
            "0A10 11111111111111111111111111111111 1201 72 1A04 342E3939"
        ),
        Golden(
            AnswerPriceConsentRequest(transactionID: Sample.uuid(0x11), reason: "r", agrees: true),
            "0A10 11111111111111111111111111111111 1201 72 1801"
        ),
        Golden(
            SubscriptionActionResponse(status: Sample.status),
            """
            0A50  # status
              0A01 67 1203 612E62  # group_id, product_id
              1A03 612E63 2004 28AC02  # renewal_product_id, state, expiration_ms
              309003 3801  # grace_period_expiration_ms, will_auto_renew
              4002 4802  # expiration_reason, price_consent
              520B 0A04342E39391203555344  # renewal_price
              5A10 11111111111111111111111111111111  # original_id
              6202 3432  # original_transaction_identifier
              6A10 22222222222222222222222222222222  # latest_id
            """
        ),
        Golden(
            PromoteRequest(application: "p", account: "uid:1", payment: Sample.payment, reason: "r"),
            """
            0A01 70 1205 7569643A31  # application, account
            1A19  # payment
              0A10 11111111111111111111111111111111 1203 612E62  # id, product_id
              1802  # quantity
            2201 72  # reason
            """
        ),
        Golden(PromoteResponse(), ""),
    ]

    private static let operatorStore: [Golden] = [
        Golden(SettingsRequest(), ""),
        Golden(SettingsResponse(settings: [Sample.setting]), "0A15 0A066C6F63616C65120264651A0561207461672001"),
        Golden(Sample.setting, "0A06 6C6F63616C65 1202 6465 1A05 6120746167 2001"),
        Golden(note: "to a value", SettingChange(name: "a", value: ""), "0A01 61 1200"),
        Golden(note: "back", SettingChange(name: "a", value: nil), "0A01 61"),
        Golden(
            ChangeSettingsRequest(changes: [SettingChange(name: "a", value: "b")], resetAll: true, reason: "r"),
            "0A06 0A0161120162 1001 1A01 72"
        ),
        Golden(ClockRequest(), ""),
        Golden(
            as: "ClockResponse",
            ClockReading(now: Sample.date(300), offset: .milliseconds(-1), isAdjustable: true),
            "08AC02 10FFFFFFFFFFFFFFFFFF01 1801"
        ),
        Golden(AdvanceClockRequest(by: .milliseconds(300), reason: "r"), "08AC02 1201 72"),
        Golden(MetricsRequest(), ""),
        Golden(MetricsResponse(samples: [Sample.metric]), "0A14 0A016D12060A016112016219000000000000F83F"),
        Golden(Sample.metric, "0A01 6D 1206 0A0161120162 19 000000000000F83F"),
        Golden(MetricLabel(name: "a", value: "b"), "0A01 61 1201 62"),
        Golden(HostsRequest(), ""),
        Golden(HostsResponse(hosts: [Sample.host]), "0A15 0A0161 1001 1801 20AC02 2807 320176 3A0101 420102"),
        Golden(
            Sample.host,
            """
            0A01 61 1001 1801 20AC02  # name, is_live, is_answering, opened_ms
            2807 3201 76 3A01 01 4201 02  # commits, version, catalogue_hash, configuration_hash
            """
        ),
        Golden(BackupRequest(reason: "r", withKeys: true), "0A01 72 1001"),
        Golden(
            note: "begin",
            BackupResponse(summary: Sample.backup, data: []),
            "0A1A 0A1044444444444444444444444444444444 10AC02 18AC02 2001"
        ),
        Golden(note: "part", BackupResponse(data: [1, 2]), "1202 0102"),
        Golden(Sample.backup, "0A10 44444444444444444444444444444444 10AC02 18AC02 2001"),
        Golden(ExportRequest(since: Sample.date(300), until: Sample.date(301)), "08AC02 10AD02"),
        Golden(
            ExportResponse(entries: [Sample.entry]),
            """
            0A3F
              08AC02 1001 1A10 11111111111111111111111111111111 2210 22222222222222222222222222222222
              2A01 61 3201 62 3A01 63 4001 48AC02 5203 555344 5A01 72
            """
        ),
        Golden(
            Sample.entry,
            """
            08AC02 1001 1A10 11111111111111111111111111111111  # date_ms, kind, payment_id
            2210 22222222222222222222222222222222  # refund_id
            2A01 61 3201 62 3A01 63 4001  # application, account, product_id, quantity
            48AC02 5203 555344 5A01 72  # amount, currency, reference
            """
        ),
    ]
}

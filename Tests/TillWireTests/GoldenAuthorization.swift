import FoundationEssentials
import TillModel
import TillWire

extension Golden {
    /// The messages of authorization.proto.
    static let authorization: [Golden] = [
        Golden(
            Sample.authorization,
            """
            0A10 11111111111111111111111111111111 1001 1A01 70  # id, kind, application
            2205 7569643A31 2A03 612E62 3201 4E  # account, product_id, display_name
            3802 420B 0A04342E39391203555344 4A02 656E  # quantity, price, locale
            5200 58AC02 609003  # application_username, created_ms, deadline_ms
            """
        ),
        Golden(note: "the first", ListAuthorizationRequestsRequest(), ""),
        Golden(
            note: "a later one",
            ListAuthorizationRequestsRequest(pageToken: 300),
            "08AC02"
        ),
        Golden(
            ListAuthorizationRequestsResponse(requests: [Sample.authorization], nextPageToken: 7),
            """
            0A41  # requests
              0A10 11111111111111111111111111111111 1001  # id, kind
              1A01 70 2205 7569643A31 2A03 612E62  # application, account, product_id
              3201 4E 3802 420B 0A04342E39391203555344  # display_name, quantity, price
              4A02 656E 5200 58AC02  # locale, application_username, created_ms
              609003  # deadline_ms
            1007  # next_page_token
            """
        ),
        Golden(WatchRequest(), ""),
        Golden(note: "with an identity", WatchRequest(watchID: 7), "0807"),
        Golden(note: "a heartbeat", as: "AuthorizationEvent", WatchResponse(), ""),
        Golden(
            note: "requested",
            as: "AuthorizationEvent",
            WatchResponse(event: .requested(Sample.authorization)),
            """
            0A41  # requested
              0A10 11111111111111111111111111111111 1001  # id, kind
              1A01 70 2205 7569643A31 2A03 612E62  # application, account, product_id
              3201 4E 3802 420B 0A04342E39391203555344  # display_name, quantity, price
              4A02 656E 5200 58AC02  # locale, application_username, created_ms
              609003  # deadline_ms
            """
        ),
        Golden(
            note: "withdrawn",
            as: "AuthorizationEvent",
            WatchResponse(event: .withdrawn(id: Sample.uuid(0x11), kind: .priceConsent)),
            "1214 0A10111111111111111111111111111111111002"
        ),
        Golden(
            AnswerRequest(id: Sample.uuid(0x11), kind: .approval, approves: true, reason: "ok"),
            "0A10 11111111111111111111111111111111 1001 1801 2202 6F6B"
        ),
        Golden(
            note: "to a price increase",
            AnswerRequest(
                id: Sample.uuid(0x11),
                kind: .priceConsent,
                approves: true,
                price: Price(minorUnits: 599, currency: "USD")
            ),
            "0A10 11111111111111111111111111111111 1002 1801 2A0B 0A04 352E3939 1203 555344"
        ),
        Golden(AnswerResponse(), ""),
        Golden(PaymentPageRequest(id: Sample.uuid(0x11)), "0A10 11111111111111111111111111111111"),
        Golden(PaymentPageResponse(url: "https://p"), "0A09 68747470733A2F2F70"),
    ]
}

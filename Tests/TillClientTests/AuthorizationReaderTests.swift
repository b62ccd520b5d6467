import FoundationEssentials
import Testing
import TillModel
@testable import TillClient

@Suite struct AuthorizationReaderTests {
    @Test func aRequestIsReportedOnceAlthoughEveryStreamBeginsWithIt() {
        var reader = AuthorizationReader()
        let request = AuthorizationRequest.sample(1)
        #expect(reader.read(.requested(request)) == .requested(request))
        #expect(reader.read(.requested(request)) == nil)
    }

    @Test func aChangedRequestIsReportedAgain() {
        var reader = AuthorizationReader()
        var request = AuthorizationRequest.sample(1)
        _ = reader.read(.requested(request))
        request.deadline += 60
        #expect(reader.read(.requested(request)) == .requested(request))
    }

    @Test func kindsOfOneIdentityAreDifferentRequests() {
        var reader = AuthorizationReader()
        let approval = AuthorizationRequest.sample(1, .approval)
        let purchase = AuthorizationRequest.sample(1, .purchase)
        _ = reader.read(.requested(approval))
        #expect(reader.read(.requested(purchase)) == .requested(purchase))
        #expect(
            reader.read(.withdrawn(id: approval.id, kind: .approval))
                == .withdrawn(id: approval.id, kind: .approval)
        )
        #expect(reader.read(.requested(purchase)) == nil)
        #expect(reader.read(.requested(approval)) == .requested(approval))
    }

    @Test func requestsMissingFromTheListWereWithdrawn() {
        var reader = AuthorizationReader()
        let (gone, left) = (AuthorizationRequest.sample(1), AuthorizationRequest.sample(2))
        _ = reader.read(.requested(gone))
        _ = reader.read(.requested(left))
        #expect(
            reader.withdrawAll(besides: [left, .sample(3)]) == [.withdrawn(id: gone.id, kind: gone.kind)]
        )
        #expect(reader.withdrawAll(besides: [left]) == [])
        #expect(reader.read(.requested(gone)) == .requested(gone), "A request that was made again is new.")
    }

    @Test func requestsBeyondTheMaximumAreReportedButNotRemembered() {
        var reader = AuthorizationReader()
        for number in 0..<AuthorizationReader.openMaximum {
            _ = reader.read(.requested(.sample(number)))
        }
        let beyond = AuthorizationRequest.sample(AuthorizationReader.openMaximum)
        #expect(reader.read(.requested(beyond)) == .requested(beyond))
        #expect(reader.read(.requested(beyond)) == .requested(beyond))
        #expect(reader.withdrawAll(besides: []).count == AuthorizationReader.openMaximum)
        #expect(reader.isEmpty)
    }
}

extension AuthorizationRequest {
    /// A request whose identity contains the number.
    static func sample(_ number: Int, _ kind: Kind = .purchase) -> AuthorizationRequest {
        AuthorizationRequest(
            id: UUID(high: 0, low: UInt64(number)),
            kind: kind,
            application: "org.example.notes",
            account: "uid:1",
            productID: "pro",
            displayName: "Pro",
            quantity: 1,
            price: Price(amount: 5, currency: "USD"),
            locale: "en-US",
            createdAt: Date(timeIntervalSince1970: 0),
            deadline: Date(timeIntervalSince1970: 60)
        )
    }
}

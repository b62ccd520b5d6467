import FoundationEssentials
import Testing
import TillCrypto
import TillModel
@testable import TillCatalogue

struct DiscountTests {
    private static let application = "org.example.notes"
    private static let product = "org.example.monthly"
    private static let signedAt = Date(millisecondsSince1970: 1_700_000_000_123)
    private static let pair = Result { try makePair() }

    private static func makePair() throws -> OfferKeyPair {
        OfferKeyPair(id: "A0B1C2D3", privateKey: PrivateKey(bytes: try SigningKey().der))
    }

    private static func catalogue(now: Date = signedAt) throws -> StoreKitCatalogue {
        try catalogue(pair.get(), now: now)
    }

    private static func catalogue(_ pair: OfferKeyPair?, now: Date = signedAt) throws -> StoreKitCatalogue {
        var file = try StoreKitConfiguration(text: Document.file(), fileName: "Offers.storekit")
        file.subscriptionOffersKeyPair = pair
        return try StoreKitCatalogue(files: [file], clock: { now })
    }

    private static func discount(username: String? = "ada") throws -> PaymentDiscount {
        try OfferSigner(pair.get()).discount(
            offerID: "winter",
            productID: product,
            application: application,
            applicationUsername: username,
            timestamp: signedAt
        )
    }

    private static func fault(
        _ discount: PaymentDiscount,
        in catalogue: StoreKitCatalogue,
        application: String = application,
        productID: String = product,
        username: String? = "ada"
    ) -> PaymentError? {
        catalogue.fault(
            of: discount,
            application: application,
            productID: productID,
            applicationUsername: username
        )
    }

    @Test
    func theStatementHasSevenPartsWithInvisibleSeparators() throws {
        let statement = OfferStatement(
            application: "app",
            keyID: "key",
            productID: "product",
            offerID: "offer",
            applicationUsername: "",
            nonce: try #require(UUID(uuidString: "3B67A1E0-0000-4000-8000-00000000000A")),
            timestamp: Date(millisecondsSince1970: 1_234)
        )
        let text = "app|key|product|offer||3b67a1e0-0000-4000-8000-00000000000a|1234"
        #expect(String(decoding: statement.bytes, as: UTF8.self) == text.replacing("|", with: "\u{2063}"))
    }

    @Test(arguments: [nil, "", "ada", "🧾 é"] as [String?])
    func aDiscountFromTheSignerIsValid(username: String?) throws {
        let discount = try Self.discount(username: username)
        #expect(Self.fault(discount, in: try Self.catalogue(), username: username) == nil)
    }

    @Test
    func aUsernameThatIsAUUIDMayBeSignedInLowerCaseOrUnchanged() throws {
        let username = UUID().uuidString
        for signed in [username, username.lowercased()] {
            let discount = try Self.discount(username: signed)
            #expect(Self.fault(discount, in: try Self.catalogue(), username: username) == nil)
        }
    }

    @Test
    func aSignatureOfAnotherStatementIsRefused() throws {
        let right = try Self.discount()
        let catalogue = try Self.catalogue()
        var changed: [PaymentDiscount] = Array(repeating: right, count: 6)
        changed[0].identifier = "spring"
        changed[1].nonce = UUID()
        changed[2].timestamp += 0.001
        changed[3].signature = ""
        changed[4].signature = "not base64"
        changed[5].signature = String(right.signature.dropLast(8))
        var faults = changed.map { Self.fault($0, in: catalogue) }
        faults += [
            Self.fault(right, in: catalogue, application: "org.example.other"),
            Self.fault(right, in: catalogue, productID: "org.example.yearly"),
            Self.fault(right, in: catalogue, username: "bob"),
            Self.fault(right, in: catalogue, username: nil),
        ]
        for fault in faults {
            #expect(fault?.code == .invalidSignature)
            #expect(fault?.reason == .invalidOffer)
            #expect(fault?.message == "The discount's signature is invalid for this purchase.")
        }
    }

    @Test
    func anotherKeyIsRefusedByItsName() throws {
        let discount = try Self.discount()
        let renamed = OfferKeyPair(id: "OTHER", privateKey: try Self.pair.get().privateKey)
        let fault = Self.fault(discount, in: try Self.catalogue(renamed))
        #expect(fault?.code == .invalidSignature)
        #expect(fault?.message == "The discount names the key A0B1C2D3, which the store does not have.")
        #expect(Self.fault(discount, in: try Self.catalogue(Self.makePair()))?.code == .invalidSignature)
    }

    @Test
    func aCatalogueWithoutAUsableKeyRefusesDiscounts() throws {
        let discount = try Self.discount()
        let missing = Self.fault(discount, in: try Self.catalogue(nil))
        #expect(missing?.code == .invalidSignature)
        #expect(missing?.message == "The catalogue has no subscriptionOffersKeyPair to check discounts with.")
        let broken = OfferKeyPair(id: "A0B1C2D3", privateKey: PrivateKey(bytes: [1, 2, 3]))
        let fault = Self.fault(discount, in: try Self.catalogue(broken))
        #expect(fault?.code == .invalidSignature)
        #expect(fault?.message == "The catalogue's subscriptionOffersKeyPair A0B1C2D3 does not contain a P-256 key.")
    }

    @Test(arguments: [(0, true), (86_400, true), (86_401, false)])
    func aDiscountIsValidForADay(age: Double, isGood: Bool) throws {
        let catalogue = try Self.catalogue(now: Self.signedAt.addingTimeInterval(age))
        let fault = Self.fault(try Self.discount(), in: catalogue)
        #expect((fault == nil) == isGood)
        #expect(fault?.message == (isGood ? nil : "The discount was signed more than 24 hours ago."))
    }
}

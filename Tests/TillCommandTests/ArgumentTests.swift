import ArgumentParser
import FoundationEssentials
import Testing
import TillModel
import TillOutput
@testable import TillCommand

@Suite struct ArgumentTests {
    @Test(arguments: [
        (text: "ask-to-buy=true", name: "ask-to-buy", value: "true"), ("a=b=c", "a", "b=c"),
        ("decline=", "decline", ""),
    ])
    func aSettingIsANameAndAValue(text: String, name: String, value: String) throws {
        let setting = try #require(SettingArgument(argument: text))
        #expect(setting.name == name)
        #expect(setting.value == value)
    }

    @Test(arguments: ["", "a", "=b"])
    func otherTextIsNotASetting(text: String) {
        #expect(SettingArgument(argument: text) == nil)
    }

    @Test func aHashHas64Digits() {
        let digits = String(repeating: "aB", count: 32)
        #expect(AuditHash(argument: digits)?.text == digits.lowercased())
        #expect(AuditHash(argument: String(digits.dropLast())) == nil)
        #expect(AuditHash(argument: digits.dropLast() + "g") == nil)
    }

    @Test(arguments: [(text: "5.99", amount: "5.99"), ("0", "0"), ("007.10", "7.1"), ("100000000000", "100000000000")])
    func anAmountMayHaveADecimalPoint(text: String, amount: String) throws {
        #expect("\(try DecimalAmount.parse(text))" == amount)
    }

    @Test(arguments: ["", ".", "5.", ".5", "5,99", "-1", "1e3", "1.2.3", "$5", "٣", "123456789012345678901"])
    func otherTextIsNotAnAmount(text: String) {
        #expect(throws: ValidationError.self) { try DecimalAmount.parse(text) }
    }

    @Test func casesAreNamedByTheirWords() {
        typealias Attention = CaseArgument<TransactionFilter.Attention>
        #expect(
            Attention.allValueStrings == ["pending", "unfinished", "needs-review", "interrupted", "revoked"]
        )
        #expect(Attention(argument: "needs-review")?.value == .needsReview)
        #expect(Attention(argument: "needsReview") == nil)
        #expect(FailureReason.productUnavailable.name == "product_unavailable")
        #expect(SubscriptionState.inBillingRetryPeriod.title == "in billing retry period")
    }

    @Test func aReasonIsRecordedEvenIfMissing() throws {
        #expect(try ReasonOption.parse([]).recorded == "none given")
        #expect(try ReasonOption.parse(["--reason", "Asked."]).recorded == "Asked.")
        #expect(try ReasonOption.parse(["--reason", String(repeating: "é", count: 128)]).recorded.utf8.count == 256)
    }
}

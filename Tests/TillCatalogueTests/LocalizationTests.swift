import Testing
import TillModel

@testable import TillCatalogue

struct LocalizationTests {
    @Test(arguments: [
        ("en_US", "en-US"), ("EN-us", "en-US"), ("zh_Hans", "zh-Hans"), ("zh-hant-hk", "zh-Hant-HK"), ("de", "de"),
        ("es_419", "es-419"), ("de_DE.UTF-8", "de-DE"), ("ca_ES@valencia", "ca-ES"), ("de-DE-1996", "de-DE"),
        ("sr_Latn_RS", "sr-Latn-RS"), ("de-", "de"), ("fil", "fil"),
    ])
    func languagesAreSpelledAsBCP47(text: String, tag: String) {
        #expect(LanguageTag(text)?.description == tag)
    }

    @Test(arguments: ["", "C", "_US", "1", "d3", "ünterländisch", "de" + String(repeating: "-x", count: 40), "-", "日本"])
    func textThatDoesNotStartWithALanguageIsNotATag(text: String) {
        #expect(LanguageTag(text) == nil)
    }

    @Test(
        arguments: [
            (["en_US", "de"], "de", "de"),
            (["en_US", "de"], "de-AT", "de"),
            (["en_US", "pt_BR"], "pt", "pt_BR"),
            (["en_US", "pt_BR", "pt_PT"], "pt-PT", "pt_PT"),
            (["en_US", "pt_BR", "pt"], "pt-PT", "pt"),
            (["en_US", "zh_Hans", "zh_Hant"], "zh-TW", "zh_Hant"),
            (["en_US", "zh_Hans", "zh_Hant"], "zh-CN", "zh_Hans"),
            (["en_US", "zh_Hans", "zh_Hant"], "zh", "zh_Hans"),
            (["en_US", "zh_Hant"], "zh-Hans", "en_US"),
            (["de", "en_US"], "fr", "en_US"),
            (["de", "en_GB"], "fr", "en_GB"),
            (["de", "it"], "fr", "de"),
            (["de", "en_US", "fr"], nil, "en_US"),
            (["de", "en_US", "fr"], "not a language", "en_US"),
        ] as [([String], String?, String)]
    )
    func theBestLanguageIsPicked(languages: [String], wanted: String?, picked: String) throws {
        let texts = languages.map { Document.localization(["locale": "\"\($0)\"", "displayName": "\"\($0)\""]) }
        let text = Document.with(product: ["localizations": "[" + texts.joined(separator: ",") + "]"])
        let product = try #require(StoreKitConfiguration(text: text).products.first).product(locale: wanted)
        #expect(product.displayName == picked)
        #expect(product.locale == LanguageTag(picked)?.description)
    }

    @Test
    func theFilesLanguageIsTheDefault() throws {
        let texts = ["en_US", "es_MX"].map {
            Document.localization(["locale": "\"\($0)\"", "displayName": "\"\($0)\""])
        }
        let text = Document.file([
            "settings": #"{"_locale": "es_MX"}"#,
            "products": Document.list(Document.product(["localizations": Document.list(texts[0], texts[1])])),
        ])
        let product = try #require(StoreKitConfiguration(text: text).products.first)
        #expect(product.product(locale: nil).locale == "es-MX")
        #expect(product.product(locale: "en").locale == "en-US")
    }

    @Test(arguments: [
        (#""""#, #""""#, #""Coins""#, "Coins", "Coins"),
        (#""""#, #""""#, "null", "org.example.coins", "org.example.coins"),
        (#""Name""#, #""""#, #""Coins""#, "Name", "Coins"),
        ("null", #""Text""#, #""Coins""#, "Coins", "Text"),
    ])
    func emptyTextsFallBack(name: String, text: String, reference: String, shownName: String, shownText: String) throws
    {
        let localization = Document.localization(["displayName": name, "description": text])
        let changes: Document.Changes = ["localizations": Document.list(localization), "referenceName": reference]
        let product = try #require(StoreKitConfiguration(text: Document.with(product: changes)).products.first)
        #expect(product.product(locale: nil).displayName == shownName)
        #expect(product.product(locale: nil).description == shownText)
        #expect(product.product(locale: nil).locale == "en-US")
    }

    @Test
    func withoutTextsTheFilesLanguageIsUsed() throws {
        let text = Document.file([
            "settings": #"{"_locale": "pt_BR"}"#,
            "products": Document.list(Document.product(["localizations": "[]"])),
        ])
        let product = try #require(StoreKitConfiguration(text: text).products.first).product(locale: "de")
        #expect(product.displayName == "Coins")
        #expect(product.locale == "pt-BR")
    }
}

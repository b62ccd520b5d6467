import Foundation
import TillEngine
import TillModel

@testable import TillCatalogue
@testable import TillDaemon
@testable import TillDownloads
@testable import TillHTTP
@testable import TillProviders

extension FuzzTarget {
    /// A `.storekit` file.
    static let catalogue = FuzzTarget("catalogue") { input in
        let reading = CatalogueReading(bytes: input, fileName: "fuzz.storekit")
        promise(
            (reading.configuration == nil) == (reading.refusal != nil),
            "a catalogue is read, or an error reports the reason"
        )
        guard let configuration = reading.configuration, let catalogue = try? StoreKitCatalogue(files: [configuration])
        else { return }
        for id in catalogue.productIDs {
            let product = catalogue.product(id, locale: "de-CH", storefront: "DEU")
            promise(product?.id == id, "a listed product exists")
            promise((product?.displayName.utf8.count ?? 0) <= CatalogueLimits.textBytes, "texts are within their limit")
        }
    }

    /// A content manifest.
    static let manifest = FuzzTarget("manifest") { input in
        let (contents, findings) = ManifestReader.read(input, path: "/content/fuzz.content.json", for: nil)
        guard findings.errorCount == 0 else { return }
        for pieces in contents.values {
            promise(pieces.count <= CatalogueLimits.contentsOfProduct, "a product has few pieces of content")
            for piece in pieces {
                promise(piece.sha256.count == 32, "every piece has its hash")
                promise(0...CatalogueLimits.contentBytes ~= piece.content.length, "lengths are within their limit")
            }
        }
    }

    /// The head of a server's answer: lines of a name, a colon and a value. The first two bytes are the status.
    static let answerHead = FuzzTarget("answer-head") { input in
        guard input.count > 2 else { return }
        let status = Int(input[0]) * 256 + Int(input[1])
        var headers = HTTPHeaders()
        for line in String(decoding: input.dropFirst(2), as: UTF8.self).split(separator: "\n").prefix(16) {
            if let (name, value) = HTTPHeaders.field(String(line)) {
                headers.add(name: name, value: value)
            }
        }
        let asked = ResponsePlan.Asked(offset: 100, validator: "\"a\"")
        for asked in [nil, asked] {
            check(ResponsePlan(status, headers, asked: asked, length: 1000), asked)
        }
    }

    private static func check(_ plan: ResponsePlan, _ asked: ResponsePlan.Asked?) {
        switch plan {
        case .body(let offset, let validator):
            promise(offset == 0 || offset == asked?.offset, "a body begins at the requested offset")
            promise(
                validator.map { $0.utf8.count <= EntityTag.maximumBytes } ?? true,
                "validators are within their limit"
            )
        case .redirect(let location):
            guard let url = URL(string: "https://example.org/a") else { return }
            var redirection = Redirection(from: url)
            guard (try? redirection.follow(to: location)) != nil else { return }
            promise(redirection.url.scheme?.lowercased() == "https", "no redirection leaves HTTPS")
        default:
            break
        }
    }

    /// The simulated provider's record of charges.
    static let charges = FuzzTarget("charges") { input in
        guard let contents = try? SimulatedRecord.parse(Data(input), path: "fuzz") else { return }
        promise(contents.length <= input.count, "no line is longer than the file")
        _ = Array(SimulatedBook(contents.entries).providerCharges)
    }

    /// A configuration file.
    static let settings = FuzzTarget("settings") { input in
        _ = try? ConfigurationFile.provider(Array(input), path: "fuzz.json")
    }

    /// The notes beside a download: its origin, and the mark of complete content.
    static let notes = FuzzTarget("notes") { input in
        let text = String(decoding: input, as: UTF8.self)
        if let origin = PartOrigin(text: text) {
            promise(
                origin.text.flatMap(PartOrigin.init) == origin || origin.text == nil,
                "an origin round-trips"
            )
        }
        if let mark = PublishedMark(text: text) {
            promise(PublishedMark(text: mark.text) == mark, "a mark round-trips")
        }
    }
}

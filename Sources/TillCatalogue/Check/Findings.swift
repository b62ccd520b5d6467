package import TillModel

/// Collects the diagnostics of one file, up to a limit; more are only counted.
package struct Findings: Hashable, Sendable {
    let file: String
    private var errors: [Diagnostic] = []
    private var warnings: [Diagnostic] = []
    package private(set) var errorCount = 0
    package private(set) var warningCount = 0
    private var reportedKeys: Set<String> = []

    init(file: String) {
        self.file = file
    }

    mutating func error(_ message: String, product: String? = nil) {
        errorCount += 1
        guard errors.count < CatalogueLimits.diagnostics else { return }
        errors.append(Diagnostic(.error, file: file, product: product, message))
    }

    mutating func warning(_ message: String, product: String? = nil) {
        warningCount += 1
        guard warnings.count < CatalogueLimits.diagnostics else { return }
        warnings.append(Diagnostic(.warning, file: file, product: product, message))
    }

    /// Reads an object; adds a warning for each unknown key, once per kind of object.
    mutating func fields(_ members: [String: JSONValue], _ kind: Fields.Kind, product: String? = nil) -> Fields {
        let known = kind.keys
        let unknown = members.keys.filter { !known.contains($0) }.sorted()
        for key in unknown where reportedKeys.insert("\(kind) \(key)").inserted {
            warning("the key \(key.quoted) of a \(kind.name) is unknown and ignored", product: product)
        }
        return Fields(members: members, kind: kind, product: product)
    }

    /// The errors, then the warnings, both in the order of the file; each list ends with the number of omitted ones.
    package var diagnostics: [Diagnostic] {
        closed(errors, count: errorCount) + closed(warnings, count: warningCount)
    }

    /// The first error, for the caller, with the number of further errors; nil without errors.
    package var refusal: TillError? {
        guard let first = errors.first else { return nil }
        let more =
            switch errorCount - 1 {
            case 0: ""
            case 1: ", and there is 1 more error"
            case let count: ", and there are \(count) more errors"
            }
        return TillError(.invalidArgument, first.summary + more + ".")
    }

    private func closed(_ kept: [Diagnostic], count: Int) -> [Diagnostic] {
        guard let first = kept.first, count > kept.count else { return kept }
        return kept + [Diagnostic(first.severity, file: file, "\(count - kept.count) more of these are not listed")]
    }
}

extension Findings {
    /// Parses a file's JSON as an object; adds an error if it is not one.
    ///
    /// - Parameter expected: A description of the expected object, for the error message.
    mutating func object(in bytes: [UInt8], expected: String) -> [String: JSONValue]? {
        guard bytes.count <= CatalogueLimits.fileBytes else {
            error("the file is larger than \(CatalogueLimits.fileBytes / 1024 / 1024) MiB")
            return nil
        }
        guard !bytes.isEmpty else {
            error("the file is empty")
            return nil
        }
        do {
            if let members = try JSONParser.parse(bytes).object { return members }
            error("the file contains JSON, but not \(expected), which is an object")
        } catch let failure {
            error("the file is not valid JSON: in line \(failure.line), \(failure.reason)")
        }
        return nil
    }
}

extension String {
    /// The text in quotation marks for a message, with escaped control characters, truncated after 80 characters.
    package var quoted: String {
        let limit = 80
        let head = unicodeScalars.prefix(limit)
        let escaped = head.map { $0.isPlain ? String($0) : $0.escaped(asASCII: true) }.joined()
        return "'\(escaped)\(head.count < unicodeScalars.count ? "…" : "")'"
    }
}

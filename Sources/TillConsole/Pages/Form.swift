import TillEngine

/// A form whose fields the script sends to an action as one JSON object, or shows in another view.
struct Form {
    /// Where the fields go.
    enum Target {
        case action(Action)
        case view(View)
    }

    /// A field of a form.
    enum Field {
        case hidden(name: String, value: String)
        case text(name: String, label: String, value: String = "", hint: String = "", isRequired: Bool = false)
        case number(name: String, label: String, value: Int, in: ClosedRange<Int>)
        case choice(name: String, label: String, options: [(value: String, label: String)], chosen: String = "")
        case checkbox(name: String, label: String)
        /// Why an operator does it, for the audit log.
        case reason
    }

    var target: Target
    /// The text of the button.
    var button: String
    var fields: [Field]
    /// The question that is asked before; nil for a harmless action.
    var question: String?
    /// An action that says what this one would do, with the same fields; its answer is part of the question.
    var preview: Action?

    var html: HTML {
        let question = question.map { " data-confirm=\"\($0)\"" as HTML } ?? ""
        let preview = preview.map { " data-preview=\"\($0.rawValue)\"" as HTML } ?? ""
        return """
            <form \(attributes)\(question)\(preview)>\(fields.map(\.html))\
            <button type="submit">\(button)</button></form>
            """
    }

    private var attributes: HTML {
        switch target {
        case .action(let action): "data-action=\"\(action.rawValue)\""
        case .view(let view): "data-view=\"\(view.rawValue)\" role=\"search\""
        }
    }
}

extension Form.Field {
    fileprivate var html: HTML {
        switch self {
        case .hidden(let name, let value):
            "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
        case .text(let name, let label, let value, let hint, let isRequired):
            """
            <label>\(label) <input name="\(name)" value="\(value)" placeholder="\(hint)" autocomplete="off" \
            spellcheck="false"\(isRequired ? " required" as HTML : "")></label>
            """
        case .number(let name, let label, let value, let range):
            """
            <label>\(label) <input type="number" name="\(name)" value="\(value)" min="\(range.lowerBound)" \
            max="\(range.upperBound)" required></label>
            """
        case .choice(let name, let label, let options, let chosen):
            "<label>\(label) <select name=\"\(name)\">\(Self.options(options, chosen))</select></label>"
        case .checkbox(let name, let label):
            "<label class=\"check\"><input type=\"checkbox\" name=\"\(name)\"> \(label)</label>"
        case .reason:
            """
            <label>Reason, for the audit log <input name="reason" required autocomplete="off" \
            maxlength="\(OperatorIdentity.reasonMaximumBytes)"></label>
            """
        }
    }

    private static func options(_ options: [(value: String, label: String)], _ chosen: String) -> [HTML] {
        options.map { option in
            let selected: HTML = option.value == chosen ? " selected" : ""
            return "<option value=\"\(option.value)\"\(selected)>\(option.label)</option>"
        }
    }
}

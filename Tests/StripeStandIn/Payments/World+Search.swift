extension World {
    /// Searches PaymentIntents. The index is behind, so that nothing may rely on it.
    func searchIntents(_ call: Call) throws(StripeFailure) -> JSON {
        let clauses = try SearchClause.parse(try call.fields.require("query"))
        let indexed = all(.intent).reversed().compactMap { intent in
            intent["livemode"]?.bool == origin.isLive ? intent.indexed(at: now - settings.searchLag) : nil
        }
        let found = indexed.filter { intent in
            clauses.allSatisfy { $0.matches(intent) }
        }
        let limit = try limit(call)
        let start = try call.fields.int("page") ?? 0
        let page = found.dropFirst(start).prefix(limit)
        let hasMore = found.count > start + limit
        return [
            "object": "search_result", "url": "/v1/payment_intents/search", "has_more": .bool(hasMore),
            "next_page": hasMore ? .string("\(start + limit)") : nil, "data": .array(page.map(render)),
        ]
    }
}

extension Fields {
    /// The intent with the status that it had at a time; nil if it did not exist.
    fileprivate func indexed(at time: Int) -> Fields? {
        guard let entry = self["_history"]?.array.last(where: { ($0["at"].int ?? 0) <= time }) else {
            return nil
        }
        return merging(["status": entry["status"]]) { _, last in last }
    }
}

/// One condition of a search, such as `metadata['order']:'7'`.
private struct SearchClause {
    var field: String
    var key: String?
    var value: String

    /// Parses conditions that are joined by `AND`.
    static func parse(_ query: String) throws(StripeFailure) -> [SearchClause] {
        var clauses: [SearchClause] = []
        for text in query.split(separator: " AND ") {
            guard let match = text.wholeMatch(of: /\s*(\w+)(?:\[["'](.+)["']\])?:["'](.*)["']\s*/) else {
                throw .invalid("We were unable to parse your search query.", param: "query")
            }
            clauses.append(
                SearchClause(
                    field: String(match.output.1),
                    key: match.output.2.map(String.init),
                    value: String(match.output.3)
                )
            )
        }
        return clauses
    }

    func matches(_ intent: Fields) -> Bool {
        let found = intent[field] ?? .null
        return key.map { found[$0].string == value } ?? (found.string == value)
    }
}

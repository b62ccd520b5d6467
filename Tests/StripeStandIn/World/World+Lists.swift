extension World {
    /// An object without the stand-in's own fields.
    func render(_ object: Fields) -> JSON {
        .object(object.filter { !$0.key.hasPrefix("_") })
    }

    /// Replaces ids with their objects, as `expand[]` asks.
    func expand(_ answer: JSON, _ paths: [String]) -> JSON {
        paths.reduce(answer) { expand($0, path: $1.split(separator: ".").map(String.init)) }
    }

    private func expand(_ value: JSON, path: [String]) -> JSON {
        switch value {
        case .string(let id):
            guard let object = objects[id] else { return value }
            return expand(render(object), path: path)
        case .array(let values):
            return .array(values.map { expand($0, path: path) })
        case .object:
            guard let name = path.first, !value[name].isNull else { return value }
            var copy = value
            copy[name] = expand(value[name], path: Array(path.dropFirst()))
            return copy
        default:
            return value
        }
    }

    /// Lists objects newest first: filters by `created`, and pages by cursors and a limit.
    func list(
        _ kind: Kind,
        _ call: Call,
        where isIncluded: (Fields) -> Bool = { _ in true }
    ) throws(StripeFailure) -> JSON {
        let isCreated = try call.fields.createdFilter()
        var found = all(kind).reversed().filter { object in
            object["livemode"]?.bool == origin.isLive && isCreated(object.number("created")) && isIncluded(object)
        }
        let limit = try limit(call)
        if let after = call.fields.string("starting_after") {
            found = Array(found.dropFirst(try position(of: after, in: found, kind, "starting_after") + 1))
        }
        var hasMore = found.count > limit
        if let before = call.fields.string("ending_before") {
            let older = found.prefix(try position(of: before, in: found, kind, "ending_before"))
            hasMore = older.count > limit
            found = older.suffix(limit)
        }
        return [
            "object": "list", "url": .string(call.path), "has_more": .bool(hasMore),
            "data": .array(found.prefix(limit).map(render)),
        ]
    }

    func limit(_ call: Call) throws(StripeFailure) -> Int {
        let limit = try call.fields.int("limit") ?? 10
        guard (1...100).contains(limit) else {
            throw .invalid("Invalid limit \(limit): use 1 to 100.", param: "limit", code: "parameter_invalid_integer")
        }
        return limit
    }

    private func position(
        of id: String,
        in found: [Fields],
        _ kind: Kind,
        _ param: String
    ) throws(StripeFailure) -> Int {
        guard let index = found.firstIndex(where: { $0.id == id }) else {
            throw .missing(kind.name, id, param: param, status: 400)
        }
        return index
    }
}

extension FormFields {
    /// Returns whether a time is one that `created` asks for.
    fileprivate func createdFilter() throws(StripeFailure) -> (Int) -> Bool {
        let exact = try int("created")
        let (after, from) = (try int("created[gt]"), try int("created[gte]"))
        let (before, until) = (try int("created[lt]"), try int("created[lte]"))
        return { time in
            exact.map { time == $0 } ?? true && after.map { time > $0 } ?? true && from.map { time >= $0 } ?? true
                && before.map { time < $0 } ?? true && until.map { time <= $0 } ?? true
        }
    }
}

import TillSQL

extension RowStatement {
    /// The statement for any number of rows, with an array of the values for each column, which have the types.
    func sql(_ types: [PostgresType]) -> String {
        let arrays = types.enumerated().map { "?\($0.offset + 1)::\($0.element)[]" }.joined(separator: ", ")
        let names = columns.joined(separator: ", ")
        let given = "unnest(\(arrays)) AS given (\(names))"
        let identifying = columns.prefix(identifyingCount).map { "stored.\($0) = given.\($0)" }
        let condition = identifying.joined(separator: " AND ")
        let insertion = "INSERT INTO \(table) (\(names)) SELECT \(names) FROM \(given)"
        switch kind {
        case .insertion:
            return insertion
        case .replacement:
            return insertion + Self.replacing(columns[0], Array(columns.dropFirst()))
        case .update:
            let assignments = columns.dropFirst(identifyingCount).map { "\($0) = given.\($0)" }
            return
                "UPDATE \(table) AS stored SET \(assignments.joined(separator: ", ")) FROM \(given) WHERE \(condition)"
        case .deletion:
            return "DELETE FROM \(table) AS stored USING \(given) WHERE \(condition)"
        }
    }
}

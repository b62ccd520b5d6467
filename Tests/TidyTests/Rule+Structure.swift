extension Rule {
    /// Who knows whom.
    static let structure = [importsPointUp, publicIsForProducts, sqlIsInTillSQLite]

    static let importsPointUp = Rule("A target imports only what stands above it in the table") { file in
        guard let target = file.target else {
            return []
        }
        return file.codeLines.enumerated().compactMap { index, line in
            guard
                let match = line.firstMatch(
                    of:
                        /^ *(?:@\w+ +)?(?:\w+ +)?import +(?:(?:struct|class|enum|func|protocol|typealias|let|var) +)?(\w+)/
                ),
                Targets.mayImport(String(match.1), in: target) != true
            else {
                return nil
            }
            return file.violation(atLine: index, line)
        }
    }

    static let publicIsForProducts = Rule(
        "Only products have public declarations",
        forbidding: { /(^|[^.\w])(public|open) +\w/ },
        where: { file in file.target.map { !Targets.products.contains($0) } ?? false }
    )

    static let sqlIsInTillSQLite = Rule("Only TillSQLite contains SQL") { file in
        guard let target = file.target, target != "TillSQLite" else {
            return []
        }
        let sql =
            /\b(SELECT .+ FROM|INSERT (OR \w+ )?INTO|UPDATE \w+ SET|DELETE FROM|(CREATE|DROP|ALTER) (TABLE|INDEX)|PRAGMA)\b/
        return file.lines.enumerated().filter { $0.element.contains(sql) }.map {
            file.violation(atLine: $0.offset, $0.element)
        }
    }
}

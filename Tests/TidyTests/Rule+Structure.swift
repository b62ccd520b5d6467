extension Rule {
    /// Who knows whom.
    static let structure = [importsPointUp, publicIsForProducts, sqlIsInTillSQLite]

    static let importsPointUp = Rule("A target imports only what stands above it in the table") { file in
        guard let target = file.target else {
            return []
        }
        return file.code(
            matching:
                /^ *(?:@\w+ +)?(?:\w+ +)?import +(?:(?:struct|class|enum|func|protocol|typealias|let|var) +)?(\w+)/
        ) { Targets.mayImport(String($0.output.1), in: target) != true }
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
        return file.text(
            matching:
                /\b(SELECT .+ FROM|INSERT (OR \w+ )?INTO|UPDATE \w+ SET|DELETE FROM|(CREATE|DROP|ALTER) (TABLE|INDEX)|PRAGMA)\b/
        )
    }
}

/// What the package's targets may import: the table of the design, whose imports point up and never down.
enum Targets {
    /// What each target may import of the package's own.
    static let imports: [String: Set<String>] = [
        "CArchive": [],
        "CProtobufC": [],
        "CSQLiteLog": ["CSQLitePages"],
        "CSQLitePages": [],
        "CStoreKit": [],
        "CSystemCalls": [],
        "CTTRPCMessages": [],
        "CTillMessages": [],
        "ProtobufCodec": ["CProtobufC"],
        "StoreKit": ["CStoreKit", "TillClient", "TillModel"],
        "StoreKitTest": [
            "StoreKit", "TTRPC", "TillCatalogue", "TillClient", "TillDownloads", "TillEngine", "TillModel",
            "TillProviders", "TillReceipts", "TillService",
        ],
        "TTRPC": ["CSystemCalls", "CTTRPCMessages", "ProtobufCodec"],
        "TillAudit": ["TillModel"],
        "TillCatalogue": ["TillModel"],
        "TillClient": ["TTRPC", "TillModel", "TillWire"],
        "TillCommand": ["TillAudit", "TillCatalogue", "TillClient", "TillModel", "TillReceiptVerification"],
        "TillDaemon": [
            "CSystemCalls", "TTRPC", "TillAudit", "TillCatalogue", "TillDownloads", "TillEngine", "TillModel",
            "TillProviders", "TillReceiptVerification", "TillReceipts", "TillSQLite", "TillService",
        ],
        "TillDownloads": ["CArchive", "CSystemCalls", "TillEngine", "TillModel"],
        "TillEngine": ["TillAudit", "TillModel"],
        "TillModel": [],
        "TillProviders": ["TillEngine", "TillModel"],
        "TillReceiptVerification": ["TillModel"],
        "TillReceipts": ["TillEngine", "TillModel", "TillSecrets"],
        "TillSQLite": ["CSQLiteLog", "CSQLitePages", "TillEngine", "TillModel"],
        "TillSecrets": ["TillModel"],
        "TillService": ["TTRPC", "TillEngine", "TillModel", "TillWire"],
        "TillWire": ["CTillMessages", "ProtobufCodec", "TillModel"],
        "till": ["TillCommand"],
        "till-example": ["TillClient"],
        "tilld": ["TillDaemon", "TillEngine", "TillModel"],
    ]

    /// Who may import a module that is not the package's own; modules that are not here are free to all.
    static let owners: [String: Set<String>] = [
        "ArgumentParser": ["TillCommand", "till", "till-example", "tilld"],
        "AsyncHTTPClient": ["TillDownloads"],
        "Configuration": ["TillDaemon"],
        "Crypto": ["TillAudit", "TillCatalogue", "TillDownloads", "TillReceiptVerification", "TillReceipts"],
        "GRDB": ["TillSQLite"],
        "GRDBSQLite": ["TillSQLite"],
        "JWTKit": ["TillReceiptVerification"],
        "NIOCore": ["StoreKitTest", "TTRPC", "TillDownloads"],
        "NIOHTTP1": ["TillDownloads"],
        "NIOPosix": ["StoreKitTest", "TTRPC"],
        "ServiceLifecycle": ["TillDaemon", "tilld"],
        "SwiftASN1": ["TillReceiptVerification", "TillReceipts"],
        "UnixSignals": ["till", "tilld"],
        "X509": ["TillReceiptVerification", "TillReceipts"],
    ]

    static let executables: Set<String> = ["till", "till-example", "tilld"]
    /// The targets whose declarations other packages see.
    static let products: Set<String> = ["StoreKit", "StoreKitTest", "TTRPC", "TillClient", "TillModel"]

    /// Whether the target may import the module; nil when the target is not in the table.
    static func mayImport(_ module: String, in target: String) -> Bool? {
        guard let own = imports[target] else {
            return nil
        }
        if imports[module] != nil {
            return own.contains(module)
        }
        return owners[module].map { $0.contains(target) } ?? true
    }
}

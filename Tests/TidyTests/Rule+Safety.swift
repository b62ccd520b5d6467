extension Rule {
    /// Files that may name pointers: the codec's memory, and calls of C.
    static let pointerFiles: Set<String> = [
        "Sources/ProtobufCodec/Arena.swift",
        "Sources/ProtobufCodec/Prescan.swift",
        "Sources/ProtobufCodec/Scratch.swift",
        "Sources/ProtobufCodec/Unpacked.swift",
        "Sources/StoreKitTest/Server/PrivateSocket.swift",
        "Sources/TTRPC/Server/Admission/Peer.swift",
        "Sources/TTRPC/Wire/Envelope.swift",
        "Sources/TillCatalogue/Check/CatalogueReading.swift",
        "Sources/TillCommand/LineWriter.swift",
        "Sources/TillCrypto/Certificate.swift",
        "Sources/TillCrypto/CertificateBuilder.swift",
        "Sources/TillCrypto/CryptoFailure.swift",
        "Sources/TillCrypto/PublicKey.swift",
        "Sources/TillCrypto/Signature.swift",
        "Sources/TillDaemon/ListeningSocket.swift",
        "Sources/TillDaemon/UnixAddress.swift",
        "Sources/TillDownloads/Archives/ArchiveReader.swift",
        "Sources/TillDownloads/Files/Descriptor.swift",
        "Sources/TillDownloads/Files/Directory.swift",
        "Sources/TillPostgres/Connection/PostgresAddress.swift",
        "Sources/TillPostgres/Connection/PostgresResult.swift",
        "Sources/TillSQLite/Statements/BoundStatement.swift",
        "Sources/TillCrypto/SecretFile.swift",
        "Sources/TillHTTP/ActiveTransfer.swift",
        "Sources/TillHTTP/Transfer.swift",
        "Sources/TillHTTP/TransferLoop.swift",
        "Sources/TillWire/FieldValues.swift",
        "Sources/TillWire/WireMessage.swift",
    ]

    /// Code that could crash the daemon, or corrupt its memory.
    static let safety = [noForce, noFatalError, provenUnchecked, pointers]

    static let noForce = Rule(
        "Sources have no try!, as! or force unwrap",
        forbidding: { /\btry!|\bas!|[\w)\]>?"]!(?!=)/ },
        where: { $0.target != nil }
    )

    static let noFatalError = Rule(
        "Sources have no fatalError",
        forbidding: { /\bfatalError\b/ },
        where: { $0.target != nil }
    )

    static let provenUnchecked = Rule(
        "@unchecked Sendable and nonisolated(unsafe) have a comment on the line before that proves them"
    ) { file in
        file.code(matching: /@unchecked\s+Sendable|\bnonisolated\(unsafe\)/).filter { violation in
            let before = violation.line > 1 ? file.lines[violation.line - 2] : ""
            return !before.contains(/^ *\/\//)
        }
    }

    static let pointers = Rule(
        "Only the files of a list name pointers",
        forbidding: { /\bUnsafe\w*Pointer\b|\bwithUnsafe\w+/ },
        where: { $0.target != nil && !pointerFiles.contains($0.path) }
    )
}

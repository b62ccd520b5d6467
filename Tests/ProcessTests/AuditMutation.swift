import FaultRuns
import FoundationEssentials
import GRDB
import TestValues
import TillAudit
import TillModel

/// A forgery of an audit log, from clumsy to careful. It cannot change the hash that an operator noted elsewhere.
struct AuditMutation: CustomStringConvertible {
    enum Kind: CaseIterable {
        case change, changeAndHash, changeAndChain, remove, removeAndChain, insert, insertAndChain, swap, swapAndChain
        case cutOff
    }

    let kind: Kind
    /// The first changed link.
    let place: Int64
    let field: Int

    var description: String { "\(kind) at \(place), field \(field)" }

    static func random(of last: Int64, using random: inout SplitMix64) -> AuditMutation {
        let kind = Kind.allCases.randomElement(using: &random) ?? .change
        // Chaining recomputes the previous hash of each link, so changing only that hash has no effect.
        let fields = kind == .changeAndChain ? Self.fields - 1 : Self.fields
        return AuditMutation(
            kind: kind,
            place: Int64.random(in: 1..<last, using: &random),
            field: Int.random(in: 0..<fields, using: &random)
        )
    }

    static func undo(_ database: Database) throws {
        try database.execute(sql: "DELETE FROM audit; INSERT INTO audit SELECT * FROM untouched")
    }

    func apply(_ database: Database) throws {
        var links = try Row.fetchAll(database, sql: "SELECT * FROM audit ORDER BY sequence").map(Self.link)
        let index = Int(place) - 1
        switch kind {
        case .change, .changeAndHash, .changeAndChain: change(&links[index])
        case .remove, .removeAndChain: links.remove(at: index)
        case .insert, .insertAndChain: links.insert(links[index], at: index)
        case .swap, .swapAndChain: links.swapAt(index, index + 1)
        case .cutOff: links.removeSubrange(index...)
        }
        if kind == .changeAndHash {
            links[index].hash = AuditChain.hash(of: links[index])
        }
        if [.changeAndChain, .removeAndChain, .insertAndChain, .swapAndChain].contains(kind) {
            Self.chain(&links, from: index)
        } else if kind != .change, kind != .changeAndHash, kind != .remove {
            Self.number(&links)
        }
        try Self.store(links, database)
    }
}

extension AuditMutation {
    private static let fields = 8

    private func change(_ link: inout AuditLink) {
        switch field {
        case 0: link.date.addTimeInterval(1)
        case 1: link.uid ^= 1
        case 2: link.action += " "
        case 3: link.subject += "0"
        case 4: link.detail += "1"
        case 5: link.reason += "?"
        case 6: link.host += "2"
        default: link.previousHash[Int(place) % link.previousHash.count] ^= 1
        }
    }

    private static func number(_ links: inout [AuditLink]) {
        for index in links.indices {
            links[index].sequence = Int64(index) + 1
        }
    }

    /// Recomputes the chain of the following links, so that they look genuine.
    private static func chain(_ links: inout [AuditLink], from start: Int) {
        number(&links)
        for index in links.indices.dropFirst(start) {
            links[index].previousHash = index == 0 ? AuditHead.start.hash : links[index - 1].hash
            links[index].hash = AuditChain.hash(of: links[index])
        }
    }

    private static func link(_ row: Row) -> AuditLink {
        AuditLink(
            sequence: row["sequence"],
            date: Date(millisecondsSince1970: row["date"]),
            uid: row["uid"],
            host: row["host"],
            action: row["action"],
            subject: row["subject"],
            detail: row["detail"],
            reason: row["reason"],
            previousHash: Array(row["previous_hash"] as Data),
            hash: Array(row["hash"] as Data)
        )
    }

    private static func store(_ links: [AuditLink], _ database: Database) throws {
        try database.execute(sql: "DELETE FROM audit")
        for link in links {
            try database.execute(
                sql: "INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    link.sequence, link.date.millisecondsSince1970, link.uid, link.action, link.subject, link.detail,
                    link.reason, Data(link.previousHash), Data(link.hash), link.host,
                ]
            )
        }
    }
}

import Foundation
import TillInvariants

extension Recording {
    /// Proves that the trace is complete: the daemon sent each answer that an application wrote down.
    func requireAnswers(of answers: Answers) throws {
        let sent = Set(answers.histories.flatMap(\.entries).compactMap { Answer($0.fact) })
        let names = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".jsonl") }
        var received = 0
        for name in names {
            let data = try Data(contentsOf: URL(filePath: "\(directory)/\(name)"))
            for entry in try History.entries(of: data) {
                guard let answer = Answer(entry.fact) else {
                    continue
                }
                received += 1
                guard sent.contains(answer) else {
                    throw TraceError("\(name) received the answer \(answer), which is not in the trace.")
                }
            }
        }
        guard received > 0 else {
            throw TraceError("No application received an answer.")
        }
    }

    private enum Answer: Hashable {
        case added(UUID)
        case finished(UUID)

        init?(_ fact: Fact) {
            switch fact {
            case .addAcknowledged(let sighting): self = .added(sighting.id)
            case .finishAcknowledged(let id): self = .finished(id)
            default: return nil
            }
        }
    }
}

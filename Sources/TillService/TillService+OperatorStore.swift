import TTRPC
import TillEngine
import TillModel
import TillWire

extension TillService {
    func addStore(to table: inout SessionMethods) {
        table.unary(OperatorMethod.settings) { (session, _, _: SettingsRequest) in
            try session.checkOperator()
            return SettingsResponse(settings: engine.storeSettings())
        }
        table.unary(OperatorMethod.changeSettings) { (session, _, request: ChangeSettingsRequest) in
            let identity = try session.operatorIdentity(because: request.reason)
            let settings = try await engine.changeSettings(
                try Self.byName(request.changes),
                resetAll: request.resetAll,
                by: identity
            )
            return SettingsResponse(settings: settings)
        }
        table.unary(OperatorMethod.clock) { (session, _, _: ClockRequest) in
            try session.checkOperator()
            return engine.clock()
        }
        table.unary(OperatorMethod.advanceClock) { (session, _, request: AdvanceClockRequest) in
            let identity = try session.operatorIdentity(because: request.reason)
            return try await engine.advanceClock(by: request.by, by: identity)
        }
    }

    private static func byName(_ changes: [SettingChange]) throws(TillError) -> [String: String?] {
        guard changes.count <= WireProtocol.settingChangesMaximum, Set(changes.map(\.name)).count == changes.count
        else {
            throw TillError(
                .invalidArgument,
                "Change at most \(WireProtocol.settingChangesMaximum) settings, each once."
            )
        }
        return Dictionary(changes.map { ($0.name, $0.value) }) { first, _ in first }
    }
}

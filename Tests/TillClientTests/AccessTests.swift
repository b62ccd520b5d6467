import Foundation
import TTRPC
import Testing
import TillClient
import TillModel
import TillService
import TillTesting
import TillWire

/// Access by the policy and the kernel's credentials.
@Suite(.timeLimit(.minutes(10))) struct AccessTests {
    private static let other = geteuid() + 1

    @Test(arguments: [
        (AccessPolicy(own: 1), served: true, approver: true, operator: true),
        (AccessPolicy(own: 2), false, false, false),
        (AccessPolicy(own: 2, others: .all), true, false, false),
        (AccessPolicy(own: 2, others: .some([1])), true, false, false),
        (AccessPolicy(own: 2, approvers: [1]), true, true, false),
        (AccessPolicy(own: 2, operators: [1]), true, true, true),
        (AccessPolicy(own: 2, operators: [3], approvers: [3]), false, false, false),
    ])
    func aPolicyDecidesServiceApprovalAndOperation(
        _ policy: AccessPolicy,
        served: Bool,
        approver: Bool,
        operator isOperator: Bool
    ) {
        let grant = try? policy.grant(to: Caller(uid: 1), for: "a")
        #expect((grant?.account == "uid:1") == served)
        #expect((grant.map { $0.role >= .approver } ?? false) == approver)
        #expect((grant?.role == .operator) == isOperator)
    }

    @Test(arguments: [
        AccessPolicy(own: other, others: .all), AccessPolicy(own: other, approvers: [geteuid()]), .nobody,
    ])
    func operatorMethodsRefuseOtherUsers(_ policy: AccessPolicy) async throws {
        try await DaemonHarness.run(policy: policy) { daemon in
            try await daemon.serving { _ in
                for example in OperatorTests.cases {
                    await expect(.permissionDenied) { _ = try await example.isReturned(daemon.operator()) }
                }
            }
        }
    }

    @Test func anOperatorOtherThanTheDaemonsUserMayRead() async throws {
        try await DaemonHarness.run(policy: AccessPolicy(own: Self.other, operators: [geteuid()])) { daemon in
            try await daemon.serving { _ in
                _ = try await daemon.operator().clock()
            }
        }
    }

    @Test(arguments: ["", String(repeating: "r", count: WireProtocol.reasonMaximumBytes + 1)])
    func anOperatorsChangeNeedsAReasonWithinTheLimit(_ reason: String) async throws {
        let id = UUID.version7()
        let changes: [@Sendable (TillOperator) async throws -> Void] = [
            { try await $0.resolve(id, because: reason) },
            { try await $0.refund(RefundOrder(transactionID: id), because: reason) },
            { try await $0.expireSubscription(id, because: reason) },
            { try await $0.renewSubscription(id, because: reason) },
            { try await $0.setAutoRenew(id, to: true, because: reason) },
            { try await $0.setAutoRenew(id, to: false, because: reason) },
            { try await $0.requestPriceConsent(id, because: reason) },
            { try await $0.answerPriceConsent(id, agrees: true, because: reason) },
            {
                let payment = Payment(productID: "pro")
                try await $0.promote(payment, toApplication: "a", account: "uid:1", because: reason)
            },
            { try await $0.changeSettings([:], because: reason) },
            { try await $0.advanceClock(by: .seconds(1), because: reason) },
        ]
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                for change in changes {
                    await expect(.invalidArgument) { try await change(daemon.operator()) }
                }
            }
        }
    }

    @Test func anApproversReasonIsLimitedToo() async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                let reason = String(repeating: "r", count: WireProtocol.reasonMaximumBytes + 1)
                let agent = AuthorizationAgent(daemon.queue().configuration)
                await expect(.invalidArgument) {
                    try await agent.answer(.version7(), kind: .purchase, approves: true, reason: reason)
                }
            }
        }
    }

    @Test func aRequestChangesASettingOnceAndFewSettings() async throws {
        let one = SettingChange(name: "locale", value: "de")
        let tooMany = (0...WireProtocol.settingChangesMaximum).map { SettingChange(name: "s\($0)", value: nil) }
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                for changes in [[one, one], tooMany] {
                    let request = ChangeSettingsRequest(changes: changes, reason: "r")
                    let client = try await daemon.greeted()
                    let error = await #expect(throws: RPCError.self) { try await client.call(request) }
                    #expect(error?.code == .invalidArgument)
                    client.close()
                }
            }
        }
    }

    @Test func agentsAndOperatorsSayHelloFirst() async throws {
        let calls =
            AuthorizationMethod.allCases.filter { $0 != .watch }.map { (AuthorizationMethod.service, $0.rawValue) }
            + OperatorMethod.allCases.filter { $0 != .backup && $0 != .export }.map {
                (OperatorMethod.service, $0.rawValue)
            }
            + PaymentMethodsMethod.allCases.map { (PaymentMethodsMethod.service, $0.rawValue) }
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                let client = try await TTRPCClient.connect(path: daemon.socketPath)
                for (service, method) in calls {
                    let payload = Self.validRequest(service, method)
                    let error = await #expect(throws: RPCError.self) {
                        try await client.unary(service, method, payload)
                    }
                    #expect(error?.code == .failedPrecondition, "\(service) \(method)")
                }
                let stream = client.serverStreaming(
                    AuthorizationMethod.service,
                    AuthorizationMethod.watch.rawValue,
                    []
                )
                let error = await #expect(throws: RPCError.self) {
                    for try await _ in stream {}
                }
                #expect(error?.code == .failedPrecondition)
                client.close()
            }
        }
    }

    /// The bytes of a valid request of the method.
    private static func validRequest(_ service: String, _ method: String) -> [UInt8] {
        if service == OperatorMethod.service {
            return OperatorTests.cases.first { $0.method.rawValue == method }?.sent ?? []
        }
        return switch AuthorizationMethod(rawValue: method) {
        case .answer: AnswerRequest(id: .version7(), kind: .purchase, approves: true).wireBytes()
        case .paymentPage: PaymentPageRequest(id: .version7()).wireBytes()
        case .listRequests, .watch, nil: []
        }
    }
}

extension DaemonHarness {
    fileprivate func `operator`() -> TillOperator {
        TillOperator(queue().configuration)
    }

    /// A connection that has completed Hello.
    func greeted() async throws -> TTRPCClient {
        let client = try await TTRPCClient.connect(path: socketPath)
        _ = try await client.call(HelloRequest(application: Self.application, client: "test/1"))
        return client
    }
}

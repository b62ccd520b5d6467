import Testing

@testable import StripeStandIn

/// The decisions without a server.
@Suite struct MachineTests {
    @Test func noPathChargesAnIntentTwice() {
        var paths: [(status: IntentStatus, charges: Int)] = [(.requiresPaymentMethod, 0)]
        for _ in 0..<6 {
            paths = paths.flatMap { path in
                IntentStatus.Step.allCases.map { step in
                    guard let next = path.status.after(step) else {
                        return path
                    }
                    return (next, path.charges + (step == .charged ? 1 : 0))
                }
            }
            #expect(paths.allSatisfy { $0.charges == ($0.status == .succeeded ? 1 : 0) })
        }
        #expect(paths.contains { $0.status == .succeeded })
    }

    @Test func onlyAnUndecidedIntentIsConfirmedOrCancelled() {
        let open: [IntentStatus] = [.requiresPaymentMethod, .requiresConfirmation, .requiresAction]
        #expect(IntentStatus.allCases.filter(\.canBeConfirmed) == open)
        #expect(IntentStatus.allCases.filter(\.canBeCanceled) == open)
    }

    @Test func aKeyDecidesOnce() {
        let stored = StoredAnswer(fingerprint: "a", status: 200, body: "{}", requestID: "req_1", storedAt: 100)
        func decide(_ stored: StoredAnswer?, isInUse: Bool = false, _ fingerprint: String = "a", now: Int = 100)
            -> KeyDecision
        {
            KeyDecision(stored: stored, isInUse: isInUse, fingerprint: fingerprint, now: now, lifetime: 86_400)
        }
        #expect(decide(nil) == .execute)
        #expect(decide(nil, isInUse: true) == .refuse(.keyInUse))
        #expect(decide(stored) == .replay(stored))
        #expect(decide(stored, "b") == .refuse(.otherParameters))
        #expect(decide(stored, "b", now: 100 + 86_399) == .refuse(.otherParameters))
        #expect(decide(stored, "b", now: 100 + 86_400) == .execute)
    }

    @Test func everyTestMethodHasItsOwnNameAndDigits() {
        #expect(Set(TestMethod.all.map(\.id)).count == TestMethod.all.count)
        #expect(Set(TestMethod.all.map(\.last4)).count == TestMethod.all.count)
        for method in TestMethod.all {
            let absent = method.decide(isOffSession: true, isSetUp: false)
            #expect(absent != .authenticate, "\(method.id) asks an absent payer")
        }
    }

    /// The last digit of a card's number is a checksum (ISO/IEC 7812-1).
    @Test func everyNumberOfACardHasItsChecksum() {
        for method in TestMethod.all where !method.isDebit {
            let digits = method.number.reversed().compactMap(\.wholeNumberValue)
            let sum = digits.enumerated().reduce(0) { sum, digit in
                let value = digit.offset % 2 == 1 ? digit.element * 2 : digit.element
                return sum + value / 10 + value % 10
            }
            #expect(digits.count == 16 && sum % 10 == 0, "\(method.id): \(method.number)")
        }
    }

    @Test func everyOperationHasARoute() {
        let routed = Route.all.map(\.operation)
        #expect(Set(routed).count == routed.count)
        #expect(Set(routed) == Set(Operation.allCases))
    }
}

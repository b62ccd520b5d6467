import ArgumentParser

/// The most frequent acts of an application.
enum Mix: String, CaseIterable, ExpressibleByArgument {
    case everything
    case payments
    case finishesAndRestores

    enum Act {
        case buy, finish, repeatAdd, sendConflict, sendInvalid, finishEarly, restore, list
    }

    /// - Parameter number: From 0 to 99.
    func act(_ number: Int) -> Act {
        switch self {
        case .everything: Self.everything(number)
        case .payments: number < 90 ? .buy : .repeatAdd
        case .finishesAndRestores: number < 60 ? .finish : number < 80 ? .restore : .buy
        }
    }

    private static func everything(_ number: Int) -> Act {
        switch number {
        case ..<55: .buy
        case ..<75: .finish
        case ..<82: .repeatAdd
        case ..<86: .sendConflict
        case ..<89: .sendInvalid
        case ..<92: .finishEarly
        case ..<96: .restore
        default: .list
        }
    }
}

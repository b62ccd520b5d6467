extension Rule {
    /// What is not written in any file.
    static let texts = [noReminders, noLicenceHeaders, noMachinePaths]

    static let noReminders = Rule("No file has reminders or marks: what is to do is done, or is not in the file") {
        file in
        // In quotes it is ISO 4217's code for no currency.
        file.texts(/\b(TODO|FIXME|HACK)\b|\bMARK:|(^|[^"])\bXXX\b/)
    }

    static let noLicenceHeaders = Rule("The licence is in LICENSE and in no other file") { file in
        file.path == "LICENSE"
            ? [] : file.texts(/SPDX-License|Copyright ([(©]|\d)|Licensed under the|All rights reserved/)
    }

    static let noMachinePaths = Rule("No file names a path of the machine that it was written on") { file in
        file.texts(/(^|[^\w.$}~])\/(work|root|home|Users)\/[\w.]/)
    }
}

extension SourceFile {
    /// Without this target's own rules and their samples.
    fileprivate func texts<Output>(_ pattern: Regex<Output>) -> [Violation] {
        path.hasPrefix("Tests/TidyTests/Rule") ? [] : text(matching: pattern)
    }
}

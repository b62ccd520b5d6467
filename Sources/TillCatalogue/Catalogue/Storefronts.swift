package import TillModel

/// The App Store's countries and regions, and the currency that each sells in.
package enum Storefronts {
    /// The currency of storefronts that are not in the table.
    package static let currencyDefault = "USD"

    package static let unitedStates = storefront(countryCode: "USA")

    /// The storefront with the App Store's identifier; if that is not known reliably, the country code is used instead.
    package static func storefront(countryCode: String) -> Storefront {
        Storefront(countryCode: countryCode, identifier: table[countryCode]?.identifier ?? countryCode)
    }

    /// The currency (ISO 4217); nil for a country that is not in the table.
    package static func currency(countryCode: String) -> String? {
        table[countryCode]?.currency
    }

    /// The region (ISO 3166-1 alpha-2); nil for a country that is not in the table.
    package static func region(countryCode: String) -> String? {
        table[countryCode]?.region
    }

    /// Whether the text has the form of an ISO 3166-1 alpha-3 code: three letters `A` to `Z`.
    package static func isCountryCode(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.count == 3 && bytes.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}

extension Storefronts {
    /// One of the App Store's storefronts.
    struct Entry {
        /// ISO 3166-1 alpha-2, as in language tags and locales.
        let region: String
        /// ISO 4217.
        let currency: String
        let identifier: String?

        init(_ region: String, _ currency: String, _ identifier: String? = nil) {
            self.region = region
            self.currency = currency
            self.identifier = identifier
        }
    }

    /// The App Store's 175 countries and regions, by ISO 3166-1 alpha-3 (`XKS` is the App Store's code for Kosovo).
    ///
    /// Currencies are those of Apple's financial reports
    /// (https://developer.apple.com/help/app-store-connect/reference/financial-report-regions-and-currencies). Apple
    /// publishes no list of the identifiers; this table has those on which independent public lists agree.
    static let table: [String: Entry] = [
        "AFG": Entry("AF", "USD"),
        "AGO": Entry("AO", "USD", "143564"),
        "AIA": Entry("AI", "USD", "143538"),
        "ALB": Entry("AL", "USD", "143575"),
        "ARE": Entry("AE", "AED", "143481"),
        "ARG": Entry("AR", "USD", "143505"),
        "ARM": Entry("AM", "USD", "143524"),
        "ATG": Entry("AG", "USD", "143540"),
        "AUS": Entry("AU", "AUD", "143460"),
        "AUT": Entry("AT", "EUR", "143445"),
        "AZE": Entry("AZ", "USD", "143568"),
        "BEL": Entry("BE", "EUR", "143446"),
        "BEN": Entry("BJ", "USD", "143576"),
        "BFA": Entry("BF", "USD", "143578"),
        "BGR": Entry("BG", "EUR", "143526"),
        "BHR": Entry("BH", "USD", "143559"),
        "BHS": Entry("BS", "USD", "143539"),
        "BIH": Entry("BA", "EUR"),
        "BLR": Entry("BY", "USD", "143565"),
        "BLZ": Entry("BZ", "USD", "143555"),
        "BMU": Entry("BM", "USD", "143542"),
        "BOL": Entry("BO", "USD", "143556"),
        "BRA": Entry("BR", "BRL", "143503"),
        "BRB": Entry("BB", "USD", "143541"),
        "BRN": Entry("BN", "USD", "143560"),
        "BTN": Entry("BT", "USD", "143577"),
        "BWA": Entry("BW", "USD", "143525"),
        "CAN": Entry("CA", "CAD", "143455"),
        "CHE": Entry("CH", "CHF", "143459"),
        "CHL": Entry("CL", "CLP", "143483"),
        "CHN": Entry("CN", "CNY", "143465"),
        "CIV": Entry("CI", "USD", "143527"),
        "CMR": Entry("CM", "USD"),
        "COD": Entry("CD", "USD"),
        "COG": Entry("CG", "USD", "143582"),
        "COL": Entry("CO", "COP", "143501"),
        "CPV": Entry("CV", "USD", "143580"),
        "CRI": Entry("CR", "USD", "143495"),
        "CYM": Entry("KY", "USD", "143544"),
        "CYP": Entry("CY", "EUR", "143557"),
        "CZE": Entry("CZ", "CZK", "143489"),
        "DEU": Entry("DE", "EUR", "143443"),
        "DMA": Entry("DM", "USD", "143545"),
        "DNK": Entry("DK", "DKK", "143458"),
        "DOM": Entry("DO", "USD", "143508"),
        "DZA": Entry("DZ", "USD", "143563"),
        "ECU": Entry("EC", "USD", "143509"),
        "EGY": Entry("EG", "EGP", "143516"),
        "ESP": Entry("ES", "EUR", "143454"),
        "EST": Entry("EE", "EUR", "143518"),
        "FIN": Entry("FI", "EUR", "143447"),
        "FJI": Entry("FJ", "USD", "143583"),
        "FRA": Entry("FR", "EUR", "143442"),
        "FSM": Entry("FM", "USD", "143591"),
        "GAB": Entry("GA", "USD"),
        "GBR": Entry("GB", "GBP", "143444"),
        "GEO": Entry("GE", "USD"),
        "GHA": Entry("GH", "USD", "143573"),
        "GMB": Entry("GM", "USD", "143584"),
        "GNB": Entry("GW", "USD", "143585"),
        "GRC": Entry("GR", "EUR", "143448"),
        "GRD": Entry("GD", "USD", "143546"),
        "GTM": Entry("GT", "USD", "143504"),
        "GUY": Entry("GY", "USD", "143553"),
        "HKG": Entry("HK", "HKD", "143463"),
        "HND": Entry("HN", "USD", "143510"),
        "HRV": Entry("HR", "EUR", "143494"),
        "HUN": Entry("HU", "HUF", "143482"),
        "IDN": Entry("ID", "IDR", "143476"),
        "IND": Entry("IN", "INR", "143467"),
        "IRL": Entry("IE", "EUR", "143449"),
        "IRQ": Entry("IQ", "USD"),
        "ISL": Entry("IS", "USD", "143558"),
        "ISR": Entry("IL", "ILS", "143491"),
        "ITA": Entry("IT", "EUR", "143450"),
        "JAM": Entry("JM", "USD", "143511"),
        "JOR": Entry("JO", "USD", "143528"),
        "JPN": Entry("JP", "JPY", "143462"),
        "KAZ": Entry("KZ", "KZT", "143517"),
        "KEN": Entry("KE", "USD", "143529"),
        "KGZ": Entry("KG", "USD", "143586"),
        "KHM": Entry("KH", "USD", "143579"),
        "KNA": Entry("KN", "USD", "143548"),
        "KOR": Entry("KR", "KRW", "143466"),
        "KWT": Entry("KW", "USD", "143493"),
        "LAO": Entry("LA", "USD", "143587"),
        "LBN": Entry("LB", "USD", "143497"),
        "LBR": Entry("LR", "USD", "143588"),
        "LBY": Entry("LY", "USD"),
        "LCA": Entry("LC", "USD", "143549"),
        "LKA": Entry("LK", "USD", "143486"),
        "LTU": Entry("LT", "EUR", "143520"),
        "LUX": Entry("LU", "EUR", "143451"),
        "LVA": Entry("LV", "EUR", "143519"),
        "MAC": Entry("MO", "USD", "143515"),
        "MAR": Entry("MA", "USD"),
        "MDA": Entry("MD", "USD", "143523"),
        "MDG": Entry("MG", "USD", "143531"),
        "MDV": Entry("MV", "USD", "143488"),
        "MEX": Entry("MX", "MXN", "143468"),
        "MKD": Entry("MK", "USD", "143530"),
        "MLI": Entry("ML", "USD", "143532"),
        "MLT": Entry("MT", "EUR", "143521"),
        "MMR": Entry("MM", "USD"),
        "MNE": Entry("ME", "EUR"),
        "MNG": Entry("MN", "USD", "143592"),
        "MOZ": Entry("MZ", "USD", "143593"),
        "MRT": Entry("MR", "USD", "143590"),
        "MSR": Entry("MS", "USD", "143547"),
        "MUS": Entry("MU", "USD", "143533"),
        "MWI": Entry("MW", "USD", "143589"),
        "MYS": Entry("MY", "MYR", "143473"),
        "NAM": Entry("NA", "USD", "143594"),
        "NER": Entry("NE", "USD", "143534"),
        "NGA": Entry("NG", "NGN", "143561"),
        "NIC": Entry("NI", "USD", "143512"),
        "NLD": Entry("NL", "EUR", "143452"),
        "NOR": Entry("NO", "NOK", "143457"),
        "NPL": Entry("NP", "USD", "143484"),
        "NRU": Entry("NR", "USD"),
        "NZL": Entry("NZ", "NZD", "143461"),
        "OMN": Entry("OM", "USD", "143562"),
        "PAK": Entry("PK", "PKR", "143477"),
        "PAN": Entry("PA", "USD", "143485"),
        "PER": Entry("PE", "PEN", "143507"),
        "PHL": Entry("PH", "PHP", "143474"),
        "PLW": Entry("PW", "USD", "143595"),
        "PNG": Entry("PG", "USD", "143597"),
        "POL": Entry("PL", "PLN", "143478"),
        "PRT": Entry("PT", "EUR", "143453"),
        "PRY": Entry("PY", "USD", "143513"),
        "QAT": Entry("QA", "QAR", "143498"),
        "ROU": Entry("RO", "RON", "143487"),
        "RUS": Entry("RU", "RUB", "143469"),
        "RWA": Entry("RW", "USD"),
        "SAU": Entry("SA", "SAR", "143479"),
        "SEN": Entry("SN", "USD", "143535"),
        "SGP": Entry("SG", "SGD", "143464"),
        "SLB": Entry("SB", "USD", "143601"),
        "SLE": Entry("SL", "USD", "143600"),
        "SLV": Entry("SV", "USD", "143506"),
        "SRB": Entry("RS", "EUR", "143500"),
        "STP": Entry("ST", "USD", "143598"),
        "SUR": Entry("SR", "USD", "143554"),
        "SVK": Entry("SK", "EUR", "143496"),
        "SVN": Entry("SI", "EUR", "143499"),
        "SWE": Entry("SE", "SEK", "143456"),
        "SWZ": Entry("SZ", "USD", "143602"),
        "SYC": Entry("SC", "USD", "143599"),
        "TCA": Entry("TC", "USD", "143552"),
        "TCD": Entry("TD", "USD", "143581"),
        "THA": Entry("TH", "THB", "143475"),
        "TJK": Entry("TJ", "USD", "143603"),
        "TKM": Entry("TM", "USD", "143604"),
        "TON": Entry("TO", "USD"),
        "TTO": Entry("TT", "USD", "143551"),
        "TUN": Entry("TN", "USD", "143536"),
        "TUR": Entry("TR", "TRY", "143480"),
        "TWN": Entry("TW", "TWD", "143470"),
        "TZA": Entry("TZ", "TZS", "143572"),
        "UGA": Entry("UG", "USD", "143537"),
        "UKR": Entry("UA", "USD", "143492"),
        "URY": Entry("UY", "USD", "143514"),
        "USA": Entry("US", "USD", "143441"),
        "UZB": Entry("UZ", "USD", "143566"),
        "VCT": Entry("VC", "USD", "143550"),
        "VEN": Entry("VE", "USD", "143502"),
        "VGB": Entry("VG", "USD", "143543"),
        "VNM": Entry("VN", "VND", "143471"),
        "VUT": Entry("VU", "USD"),
        "XKS": Entry("XK", "EUR"),
        "YEM": Entry("YE", "USD", "143571"),
        "ZAF": Entry("ZA", "ZAR", "143472"),
        "ZMB": Entry("ZM", "USD"),
        "ZWE": Entry("ZW", "USD", "143605"),
    ]
}

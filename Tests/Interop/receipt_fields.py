"""Defines the expected value of each field of the receipts that daemon-receipts keeps.

The directory holds NAME.line, a transaction as the command line prints it, and NAME.jws, its receipt; and NAME.status, a
subscription as the command line prints it, and NAME.jws, its renewal information. Writes NAME.json for
receipts.py: every field that the receipt must have, and no other is allowed. A value is the field's, or an object of
conditions: {"present": true} for any value, {"atLeast": N} and {"is": VALUE}.

Sources: https://developer.apple.com/documentation/appstoreserverapi/jwstransactiondecodedpayload and the pages of its fields.
"""

import argparse
import datetime
import json
import pathlib

PRESENT = {"present": True}
STOREFRONTS = {"USA": "143441", "DEU": "143443"}


class Sample:
    def __init__(self, directory, name):
        self.name = name
        self.line = json.loads((directory / f"{name}.line").read_text())
        clock = directory / f"{name}.clock"
        self.approved = milliseconds(json.loads(clock.read_text())["now"]) if clock.exists() else None

    @property
    def identifier(self):
        return self.line["transaction_identifier"]

    @property
    def purchased(self):
        term = self.line.get("subscription")
        return milliseconds(term["start_date"] if term else self.line["transaction_date"])

    @property
    def end(self):
        return milliseconds(self.line["subscription"]["expiration_date"])


def milliseconds(timestamp):
    date = datetime.datetime.strptime(timestamp, "%Y-%m-%dT%H:%M:%S.%f%z")
    return round(date.timestamp() * 1000)


# Each case is a function of a sample and of all samples by name. It returns the fields beside those of every
# transaction.


def product(kind, price, **more):
    return lambda sample, samples: {"type": kind, "price": price, **more}


def period(price, group, paid_by=None, **more):
    """A subscription period. A period without a payment of its own names the transaction that paid for it."""

    def fields(sample, samples):
        payer = samples[paid_by] if paid_by else sample
        return {
            "type": "Auto-Renewable Subscription",
            "price": price,
            "subscriptionGroupIdentifier": group,
            "expiresDate": payer.end,
            "webOrderLineItemId": payer.identifier,
            **more,
        }

    return fields


def revoked(case, kind, percentage, reason=0):
    """The case after a revocation, with the type of the refund, or None without a refund."""

    def fields(sample, samples):
        revocation = {
            "revocationDate": milliseconds(sample.line["revocation"]["date"]),
            "revocationReason": reason,
            "revocationPercentage": percentage,
        }
        if kind:
            revocation["revocationType"] = kind
        return {**case(sample, samples), **revocation}

    return fields


def approved(case):
    """The case with the purchase date of its approval instead of that of its request."""

    def fields(sample, samples):
        date = {"is": sample.purchased, "atLeast": sample.approved}
        return {**case(sample, samples), "purchaseDate": date, "originalPurchaseDate": date}

    return fields


PLAN, MAGAZINE, PAPER, RADIO = "21400001", "21400002", "21400003", "21400004"
RENEWAL = {"transactionReason": "RENEWAL"}
TRIAL = {"offerType": 1, "offerDiscountType": "FREE_TRIAL", "offerPeriod": "P1W"}
UP_FRONT = {"offerType": 1, "offerDiscountType": "PAY_UP_FRONT", "offerPeriod": "P6M"}
AS_YOU_GO = {"offerType": 1, "offerDiscountType": "PAY_AS_YOU_GO", "offerPeriod": "P3M"}

CASES = {
    "consumables": product("Consumable", 1980),
    "consumables-rebuilt": product("Consumable", 1980),
    "abroad": product("Consumable", PRESENT, currency=PRESENT, storefront="DEU"),
    "after-rotation": product("Consumable", 990),
    "non-consumable": product("Non-Consumable", 4990),
    "non-consumable-again": product("Non-Consumable", 0),
    "free-product": product("Non-Consumable", 0),
    "non-renewing": product("Non-Renewing Subscription", 9990),
    "restored": product("Non-Consumable", 4990),
    "approved": approved(product("Non-Consumable", 1990)),
    "approved-subscription": approved(period(1990, RADIO)),
    "free-trial": period(0, PLAN, **TRIAL),
    "crossgrade": period(0, PLAN, paid_by="free-trial"),
    "bought-again": period(0, PLAN, paid_by="free-trial"),
    "bought-again-rebuilt": period(0, PLAN, paid_by="free-trial"),
    "renewal": period(4990, PLAN, **RENEWAL),
    "upgrade": period(9990, PLAN),
    "upgraded": period(4990, PLAN, isUpgraded=True, **RENEWAL),
    "downgrade": period(0, PLAN, paid_by="upgrade"),
    "downgrade-rebuilt": period(0, PLAN, paid_by="upgrade"),
    "downgrade-renewal": period(4990, PLAN, **RENEWAL),
    "restored-renewal": period(4990, PLAN, paid_by="downgrade-renewal", **RENEWAL),
    "pay-up-front": period(9990, MAGAZINE, **UP_FRONT),
    "pay-up-front-rebuilt": period(9990, MAGAZINE, **UP_FRONT),
    "pay-as-you-go": period(990, PAPER, **AS_YOU_GO),
    "pay-as-you-go-renewal": period(990, PAPER, **AS_YOU_GO, **RENEWAL),
    "refunded": revoked(product("Consumable", 2970), "REFUND_FULL", 100_000),
    "refunded-part": revoked(product("Consumable", 2970), "REFUND_PRORATED", 33_333),
    "refunded-non-consumable": revoked(product("Non-Consumable", 4990), "REFUND_FULL", 100_000, reason=1),
    "refunded-trial": revoked(period(0, PLAN, **TRIAL), "REFUND_FULL", 100_000),
    "refunded-subscription": revoked(period(1990, RADIO), "REFUND_FULL", 100_000),
    "revoked": revoked(product("Consumable", 2970), None, 100_000),
}


def transaction(sample, samples, application, environment):
    """The fields of a transaction's receipt."""
    line = sample.line
    original = line.get("original") or line
    first = milliseconds(original["transaction_date"])
    fields = {
        "transactionId": sample.identifier,
        "originalTransactionId": original["transaction_identifier"],
        "bundleId": application,
        "productId": line["product_id"],
        "purchaseDate": sample.purchased,
        "originalPurchaseDate": first,
        "quantity": line["quantity"],
        "inAppOwnershipType": "PURCHASED",
        "signedDate": PRESENT,
        "environment": environment,
        "transactionReason": "PURCHASE",
        "currency": "USD",
        "storefront": "USA",
        "appTransactionId": PRESENT,
    }
    fields.update(CASES[sample.name](sample, samples))
    fields["storefrontId"] = STOREFRONTS[fields["storefront"]]
    return fields


# The fields of renewal information beside those that each has.
RENEWALS = {
    "renews": {"autoRenewStatus": 1, "renewalPrice": 4990, "currency": "USD"},
    "renews-with-offer": {"autoRenewStatus": 1, "renewalPrice": 990, "currency": "USD", **AS_YOU_GO},
    "ends": {"autoRenewStatus": 0},
    "expired": {"autoRenewStatus": 0, "expirationIntent": 1},
}


def renewal(status, environment, more):
    """The fields of renewal information, from the status that the command line prints."""
    return {
        "originalTransactionId": status["original_transaction_identifier"],
        "productId": status["product_id"],
        "autoRenewProductId": status["renewal_product_id"],
        "renewalDate": milliseconds(status["expiration_date"]),
        "isInBillingRetryPeriod": False,
        "recentSubscriptionStartDate": PRESENT,
        "signedDate": PRESENT,
        "environment": environment,
        "appTransactionId": PRESENT,
        **more,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("application", help="the bundle identifier")
    parser.add_argument("environment", help="Sandbox or Production")
    arguments = parser.parse_args()
    samples = {name: Sample(arguments.directory, name) for name in CASES}
    for name, sample in samples.items():
        fields = transaction(sample, samples, arguments.application, arguments.environment)
        write(arguments.directory, name, fields)
    for name, more in RENEWALS.items():
        status = json.loads((arguments.directory / f"{name}.status").read_text())
        write(arguments.directory, name, renewal(status, arguments.environment, more))
    # Apple's model of an application's receipt has fields that only a phone knows, so other fields are allowed.
    application = {
        "receiptType": arguments.environment,
        "bundleId": arguments.application,
        "appAppleId": 1234567890,
        "appTransactionId": PRESENT,
        "originalPlatform": None,
    }
    (arguments.directory / "application.json").write_text(json.dumps(application))


def write(directory, name, fields):
    (directory / f"{name}.json").write_text(json.dumps({"only": True, **fields}))


main()

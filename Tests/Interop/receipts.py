"""Verifies receipts with Apple's own library, app-store-server-library.

The directory holds NAME.jws, and NAME.json with the fields that Apple's library must find in it, each with its value or
with conditions (see receipt_fields.py); with "only", it may have no others. A receipt with a receiptType is an
application's, and one with an autoRenewStatus is a subscription's renewal information. Prints "N passed, N failed",
and fails if one did.
"""

import argparse
import base64
import datetime
import json
import pathlib
import sys
from enum import Enum

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import (
    SignedDataVerifier,
    VerificationException,
    VerificationStatus,
)
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


class Receipt:
    def __init__(self, path):
        self.name = path.stem
        self.text = path.read_text().strip()
        self.expected = json.loads(path.with_suffix(".json").read_text())
        self.has_no_others = self.expected.pop("only", False)

    @property
    def members(self):
        """The names of the fields that were signed, whether Apple's library knows them or not."""
        payload = self.text.split(".")[1]
        return set(json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))))

    @property
    def kind(self):
        if "receiptType" in self.expected:
            return "application"
        return "renewal" if "autoRenewStatus" in self.expected else "transaction"

    def verified(self, verifier, text=None):
        decode = {
            "application": verifier.verify_and_decode_app_transaction,
            "renewal": verifier.verify_and_decode_renewal_info,
            "transaction": verifier.verify_and_decode_signed_transaction,
        }[self.kind]
        return decode(text or self.text)


class Report:
    def __init__(self):
        self.passed = 0
        self.failed = 0

    def check(self, sentence, holds):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print(f"failed: {sentence}")


def holds(read, wanted):
    """Whether a field is as expected: a value, or an object of conditions."""
    if not isinstance(wanted, dict):
        return read == wanted
    if read is None:
        return False
    return read >= wanted.get("atLeast", read) and read == wanted.get("is", read)


def differences(decoded, receipt):
    """The differences between the fields that Apple's library read and the expected ones."""
    found = []
    if receipt.has_no_others:
        found += [f"{name} is unexpected" for name in sorted(receipt.members - set(receipt.expected))]
    for name, value in receipt.expected.items():
        # If a number or text is not a value of an enumeration, the library keeps it in a raw field.
        raw = "raw" + name[0].upper() + name[1:]
        read = getattr(decoded, raw, None) if hasattr(decoded, raw) else getattr(decoded, name, None)
        read = read.value if isinstance(read, Enum) else read
        if not holds(read, value):
            found.append(f"{name} is {read!r} and not {value!r}")
    return found


def refusal(receipt, verifier, text=None):
    """The status with which Apple's library refuses the receipt; None when it accepts it."""
    try:
        receipt.verified(verifier, text)
    except VerificationException as error:
        return error.status
    return None


def changed(text, index):
    """The text with another letter, which differs in a bit that is significant even at the end of a part."""
    place = ALPHABET.find(text[index])
    return text[:index] + (ALPHABET[place ^ 32] if place >= 0 else "A") + text[index + 1 :]


def foreign_root(root):
    """Another root with the same name."""
    name = x509.load_der_x509_certificate(root).subject
    key = ec.generate_private_key(ec.SECP256R1())
    now = datetime.datetime.now(datetime.timezone.utc)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=3650))
        .not_valid_after(now + datetime.timedelta(days=3650))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    return certificate.public_bytes(serialization.Encoding.DER)


def check(receipt, verifiers, report):
    where = f"{verifiers.environment.value}, {receipt.name}"
    status = refusal(receipt, verifiers.own)
    report.check(f"{where}: accepted, not {status}", status is None)
    if status is not None:
        return
    wrong = differences(receipt.verified(verifiers.own), receipt)
    report.check(f"{where}: {'; '.join(wrong)}", not wrong)
    # Apple's renewal information names no application.
    if receipt.kind != "renewal":
        status = refusal(receipt, verifiers.other_application)
        report.check(
            f"{where}: another application, {status}", status == VerificationStatus.INVALID_APP_IDENTIFIER
        )
    status = refusal(receipt, verifiers.foreign)
    report.check(f"{where}: a foreign root, {status}", status == VerificationStatus.VERIFICATION_FAILURE)
    status = refusal(receipt, verifiers.other_environment)
    report.check(
        f"{where}: another environment, {status}",
        status in (VerificationStatus.INVALID_ENVIRONMENT, VerificationStatus.INVALID_APP_IDENTIFIER),
    )


def check_changes(receipt, verifiers, report):
    """Changes each letter of the receipt in turn."""
    accepted = [
        index
        for index in range(len(receipt.text))
        if refusal(receipt, verifiers.own, changed(receipt.text, index)) is None
    ]
    report.check(f"{receipt.name}: changes accepted at {accepted}", not accepted)


class Verifiers:
    def __init__(self, root, application, environment, app_apple_id):
        self.environment = environment

        def verifier(root=root, application=application, environment=environment):
            return SignedDataVerifier([root], False, environment, application, app_apple_id)

        self.own = verifier()
        self.other_application = verifier(application=application + ".other")
        self.foreign = verifier(root=foreign_root(root))
        other = Environment.SANDBOX if environment == Environment.PRODUCTION else Environment.PRODUCTION
        self.other_environment = verifier(environment=other)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=pathlib.Path, help="the root certificate, DER")
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("application", help="the bundle identifier")
    parser.add_argument("environment", type=Environment, help="Sandbox or Production")
    parser.add_argument("--app-apple-id", type=int, default=1)
    arguments = parser.parse_args()
    verifiers = Verifiers(
        arguments.root.read_bytes(), arguments.application, arguments.environment, arguments.app_apple_id
    )
    receipts = [Receipt(path) for path in sorted(arguments.directory.glob("*.jws"))]
    report = Report()
    kinds = {receipt.kind for receipt in receipts}
    report.check(f"there are receipts of every kind, not only {kinds}", len(kinds) == 3)
    for receipt in receipts:
        check(receipt, verifiers, report)
    # The shortest receipt of each kind is changed letter by letter.
    for kind in sorted(kinds):
        alike = [receipt for receipt in receipts if receipt.kind == kind]
        for receipt in sorted(alike, key=lambda receipt: len(receipt.text))[:1]:
            check_changes(receipt, verifiers, report)
    print(f"{arguments.environment.value}: {report.passed} passed, {report.failed} failed")
    sys.exit(1 if report.failed else 0)


main()

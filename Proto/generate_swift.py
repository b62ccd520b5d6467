#!/usr/bin/env python3
"""Writes the Swift of TillWire: one file for each .proto file, with its messages, its enumerations and its methods.

    generate_swift.py OUTPUT PROTO_ROOT MODEL_SOURCES FILE...

A message is either a value that TillModel declares, or the generator declares a struct for it. It writes how each is
read from, and put into, the structs of C that protoc-c makes.

Conventions, by which a field becomes a property:

- `snake_case` becomes `camelCase`; `id` and `ids` become `ID` and `IDs`.
- bytes called `id`, `..._id` or `..._ids` are a UUID; other bytes are `[UInt8]`.
- numbers called `..._ms` are a Date or a Duration. In a struct of TillModel the property may be called as the field
  without `_ms`, or that and `Date`, or that and `At`.
- uint32 is an `Int`, but `UInt32` where it is an identity (`..._id`); int32 is the raw value of an open set.
- A string called `amount` is a Decimal. A string or a number called `..._page_token` is nil when it is empty or 0.
- A oneof called `..._presence` makes its one field optional. Any other oneof is written by hand.
- Properties of TillModel have the type that TillModel gives them. An optional string, UUID or enumeration is nil when
  the field is empty or 0, and an optional message when it is absent.
- A property of TillModel that no field is named after takes the fields that its own properties are named after.
- Enumerations are those of TillModel where it has them, and are declared otherwise.
- A message that one method takes is its `Call` or `StreamingCall`; one that several take is their `SharedCall`.

What these do not cover is in the tables that follow.
"""

import re
import sys
import textwrap
from pathlib import Path

# Messages whose values in Swift have other names.
SWIFT_NAMES = {
    "StorefrontResponse": "Storefront",
    "ObserveResponse": "EventBatch",
    "ClockResponse": "ClockReading",
    "ReconcileResponse": "ReconciliationPage",
    "Event": "QueueEvent",
    "AuthorizationEvent": "WatchResponse",
}
# Messages that Sources/TillWire/Events.swift reads and writes, because their oneofs are enumerations of TillModel.
BY_HAND = {"Event", "AuthorizationEvent"}
# Enumerations that TillModel keeps inside other types.
SWIFT_ENUMS = {
    "Attention": "TransactionFilter.Attention",
    "AuthorizationKind": "AuthorizationRequest.Kind",
    "RevocationReason": "Revocation.Reason",
}
# Fields whose properties have other names; "order.id" is the property `id` of the property `order`.
PROPERTIES = {
    "HelloResponse.protocol": "protocolVersion",
    "ListTransactionsRequest.include_finished": "includesFinished",
    "ReconcileResponse.next_page_token": "next",
    "RefundRequest.refund_id": "order.id",
    "RefundRequest.revocation_reason": "order.reason",
}
# Properties of generated structs that hold several fields, by the type of TillModel that declares these.
EMBEDDED = {
    "FindTransactionsRequest": ("filter", "TransactionFilter"),
    "RefundRequest": ("order", "RefundOrder"),
}
# Fields of generated structs that are nil when empty or absent.
OPTIONAL = {
    "AnswerRequest.price",
    "BackupResponse.summary",
    "ProductsRequest.locale",
    "RequestPriceConsentRequest.amount",
    "ResolveRequest.provider_reference",
    "RestoreCompletedTransactionsResponse.error",
}
# Fields of generated structs with another type than the conventions give.
TYPES = {
    "ExportRequest.since_ms": "Date",
    "ExportRequest.until_ms": "Date",
    "HelloRequest.protocol_minimum": "UInt32",
    "HelloRequest.protocol_maximum": "UInt32",
    "HelloResponse.protocol": "UInt32",
}
# What an initializer takes for a property that is left out. Optional properties are nil anyway, and the flags, counts
# and lists of requests have the defaults of proto3.
DEFAULTS = {
    "HelloRequest.protocol_minimum": "WireProtocol.version",
    "HelloRequest.protocol_maximum": "WireProtocol.version",
    "HelloResponse.protocol": "WireProtocol.version",
    "HelloResponse.capabilities": "[]",
    "RestoreCompletedTransactionsResponse.total_count": "0",
    "CancelRequest.call_id": '""',
    "CancelRequest.watch_id": "0",
    "WatchRequest.watch_id": "0",
    "AnswerRequest.reason": '""',
    "HealthCheckRequest.service": '""',
    "ProductsResponse.invalid": "[]",
    "FindTransactionsRequest.filter": "TransactionFilter()",
}


def fail(text):
    sys.exit(f"generate_swift.py: {text}")


# The .proto files, as far as ours go: no options, maps, reserved names or nested messages.


class Field:
    def __init__(self, type, name, number, repeated, presence, comment):
        self.type, self.name, self.number = type, name, number
        self.repeated, self.presence, self.comment = repeated, presence, comment


class Message:
    def __init__(self, name, comment):
        self.name, self.comment = name, comment
        self.fields, self.oneofs = [], []


class Enum:
    def __init__(self, name, full_name, comment):
        self.name, self.full_name, self.comment, self.cases = name, full_name, comment, []


class Method:
    def __init__(self, name, request, response, streams, comment):
        self.name, self.request, self.response = name, request, response
        self.streams, self.comment = streams, comment


class ProtoFile:
    def __init__(self, text):
        self.tokens = re.findall(r'//[^\n]*|"[^"]*"|[\w.]+|[{}()=;]', text)
        self.package, self.service, self.methods, self.messages, self.enums = None, None, [], [], []
        self.service_comment = []
        while self.tokens:
            comment = self.comment()
            match self.tokens.pop(0) if self.tokens else "":
                case "message":
                    self.messages.append(self.message(comment))
                case "enum":
                    self.enums.append(self.enum("", comment))
                case "service":
                    self.service, self.service_comment = self.tokens.pop(0), comment
                    self.block(self.method)
                case "package":
                    self.package = self.tokens.pop(0)
                    self.skip(";")
                case "syntax" | "import":
                    self.skip(";")
                case "":
                    pass
                case other:
                    fail(f"cannot read '{other}'")

    def comment(self):
        lines = []
        while self.tokens and self.tokens[0].startswith("//"):
            lines.append(self.tokens.pop(0)[2:].strip())
        return lines

    def skip(self, end):
        while self.tokens.pop(0) != end:
            pass

    def block(self, read):
        if self.tokens.pop(0) != "{":
            fail("expected a block")
        while True:
            comment = self.comment()
            if self.tokens[0] == "}":
                self.tokens.pop(0)
                return
            read(comment)

    def method(self, comment):
        self.tokens.pop(0)
        end = self.tokens.index(";")
        name, request, response = [word for word in self.tokens[:end] if re.match(r"[A-Z]", word)]
        self.methods.append(Method(name, request, response, "stream" in self.tokens[:end], comment))
        self.skip(";")

    def message(self, comment):
        message = Message(self.tokens.pop(0), comment)

        def member(comment):
            if self.tokens[0] == "enum":
                self.tokens.pop(0)
                self.enums.append(self.enum(message.name + ".", comment))
            elif self.tokens[0] == "oneof":
                self.tokens.pop(0)
                oneof = self.tokens.pop(0)
                if oneof.endswith("_presence"):
                    self.block(lambda inner: self.field(message, comment + inner, oneof))
                else:
                    message.oneofs.append(oneof)
                    self.block(lambda inner: self.field(message, inner, oneof))
            else:
                self.field(message, comment, None)

        self.block(member)
        return message

    def field(self, message, comment, presence):
        repeated = self.tokens[0] == "repeated"
        if repeated:
            self.tokens.pop(0)
        type, name, _, number, end = (self.tokens.pop(0) for _ in range(5))
        if end != ";":
            fail(f"cannot read {message.name}.{name}")
        message.fields.append(Field(type, name, number, repeated, presence, comment))

    def enum(self, outer, comment):
        enum = Enum(self.tokens[0], outer + self.tokens.pop(0), comment)

        def case(comment):
            name, _, number, _ = (self.tokens.pop(0) for _ in range(4))
            enum.cases.append((name, number, comment))

        self.block(case)
        return enum


# The types that TillModel declares.


def model_types(root):
    """The parameters of each struct's first initializer, as (label, name, type), and the names of all enumerations."""
    structs, enums = {}, set()
    for path in sorted(Path(root).rglob("*.swift")):
        text = path.read_text()
        enums.update(re.findall(r"^public enum (\w+): Int\b", text, re.M))
        for found in re.finditer(r"^public struct (\w+)(.*?)^}", text, re.M | re.S):
            init = re.search(r"^    public init\((.*?)\)\s*(?:throws\S*\s*)?\{", found[2], re.M | re.S)
            if init:
                structs[found[1]] = list(parameters(init[1]))
    return structs, enums


def parameters(text):
    # A default value may have parentheses and commas of its own; all that is wanted stands before it.
    for parameter in re.finditer(r"(?:^|,)\s*(?:(_)\s+)?(\w+): ([\w.\[\]?]+)", text):
        yield parameter[1] or parameter[2], parameter[2], parameter[3]


# Names in Swift and in C.


def camel(name):
    words = name.lower().split("_")
    upper = {"id": "ID", "ids": "IDs"}
    return words[0] + "".join(upper.get(word, word.capitalize()) for word in words[1:])


def lower_first(name):
    return name[0].lower() + name[1:]


def c_type(package, name):
    return "__".join(part[0].upper() + part[1:] for part in package.split(".")) + "__" + name


def c_initializer(package, name):
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    return "__".join(package.split(".")) + f"__{snake}__init"


class Property:
    """Where a field lies in Swift: the property, or a property of a property, and its type."""

    def __init__(self, field, path, type):
        self.field, self.path, self.type = field, path, type


class Writer:
    """Writes the Swift of .proto files."""

    def __init__(self, files, structs, model_enums):
        self.structs = structs
        self.files = files
        self.messages = {message.name: message for file in files.values() for message in file.messages}
        self.enums = {enum.full_name: enum for file in files.values() for enum in file.enums}
        self.model_enums = model_enums

    def swift_name(self, message):
        return SWIFT_NAMES.get(message, message)

    def is_model(self, message):
        return self.swift_name(message.name) in self.structs

    def enum_of(self, message, type):
        return self.enums.get(f"{message.name}.{type}") or self.enums.get(type)

    # The properties of a message.

    def own_type(self, message, field):
        key = f"{message.name}.{field.name}"
        enum = self.enum_of(message, field.type)
        if key in TYPES:
            type = TYPES[key]
        elif field.name.endswith("_ms"):
            type = "Duration"
        elif field.type == "string":
            type = "Decimal" if field.name == "amount" else "String"
        elif field.type == "bytes":
            type = "UUID" if re.search(r"(^|_)ids?$", field.name) else "[UInt8]"
        elif field.type == "uint32":
            type = "UInt32" if field.name.endswith("_id") else "Int"
        elif enum:
            type = SWIFT_ENUMS.get(field.type, enum.name)
        else:
            swift = {"bool": "Bool", "uint64": "UInt64", "int64": "Int64", "double": "Double"}
            type = swift.get(field.type) or self.swift_name(field.type)
        if field.repeated:
            return f"[{type}]"
        is_token = field.name.endswith("page_token")
        return type + "?" if field.presence or key in OPTIONAL or is_token else type

    def candidates(self, message, field):
        key = f"{message.name}.{field.name}"
        if key in PROPERTIES:
            return [PROPERTIES[key].split(".")[-1]]
        if field.name.endswith("_ms"):
            stem = camel(field.name.removesuffix("_ms"))
            return [stem, stem + "Date", stem + "At"]
        return [camel(field.name)]

    def match(self, message, outer, type, fields):
        """Takes from `fields` those that the properties of a struct of TillModel are named after."""
        found = []
        for _, name, swift in self.structs[type]:
            for field in fields:
                explicit = PROPERTIES.get(f"{message.name}.{field.name}", "")
                fits = name in self.candidates(message, field)
                if fits and ("." not in explicit or explicit == f"{outer}.{name}"):
                    fields.remove(field)
                    found.append(Property(field, f"{outer}.{name}" if outer else name, swift))
                    break
            else:
                nested = swift.removesuffix("?")
                if outer or nested not in self.structs:
                    fail(f"no field of {message.name} fits the property {type}.{name}; see PROPERTIES")
                found += self.match(message, name, nested, fields)
        return found

    def properties(self, message):
        """The properties in the order of the initializer."""
        fields = list(message.fields)
        if self.is_model(message):
            found = self.match(message, "", self.swift_name(message.name), fields)
            if fields:
                fail(f"{message.name}.{fields[0].name} fits no property of {self.swift_name(message.name)}; see PROPERTIES")
            return found
        embedded = []
        if message.name in EMBEDDED:
            embedded = self.match(message, *EMBEDDED[message.name], fields)
        by_field = {property.field: property for property in embedded}
        for field in fields:
            path = self.candidates(message, field)[0]
            by_field[field] = Property(field, path, self.own_type(message, field))
        return sorted(by_field.values(), key=lambda property: message.fields.index(property.field))

    # Reading and writing.

    def read(self, message, property):
        """The expression for a property, of the message's struct of C."""
        field, type = property.field, property.type
        value, quoted = f"fields.{field.name}", f'"{field.name}"'
        swift = type.removesuffix("?")
        optional = type.endswith("?")
        if field.repeated:
            count = f"fields.n_{field.name}"
            if type in ("[String]", "[UUID]"):
                name = "" if type == "[String]" else f", {quoted}"
                return f"{type}({value}, {count}{name})"
            return f"{type[1:-1]}.list({value}, {count}, {quoted})"
        if field.presence:
            present = self.read(message, self.required(property))
            return f"fields.{field.presence}_case.rawValue == {field.number}\n    ? {present} : nil"
        if field.name.endswith("_ms"):
            return f"{swift}(milliseconds: Int64({value}))"
        if self.enum_of(message, field.type):
            return f".optional({value}.rawValue, {quoted})" if optional else f"{type}({value}.rawValue, {quoted})"
        match field.type, swift:
            case "string", "Decimal":
                return f"Decimal.{'optional' if optional else 'amount'}({value}, {quoted})"
            case "string", "String":
                return f".optional({value})" if optional else f"String(field: {value})"
            case "bytes", "UUID":
                return f".optional({value}, {quoted})" if optional else f"UUID({value}, {quoted})"
            case "bytes", "[UInt8]" if not optional:
                return f"[UInt8](field: {value})"
            case "bool", "Bool":
                return f"Bool(field: {value})"
            case "uint32", "Int":
                return f"Int({value})"
            case "int32", _:
                return f"{swift}(rawValue: Int({value}))"
            case "double", "Double":
                return f"Double(finite: {value}, {quoted})"
            case ("uint32", "UInt32") | ("int64", "Int64") | ("uint64", "UInt64"):
                return f"{value} == 0 ? nil : {value}" if optional else value
        if field.type in self.messages:
            return f".{'optional' if optional else 'required'}({value}, {quoted})"
        fail(f"{message.name}.{field.name} cannot be a {type}")

    def write(self, message, property):
        """The statements that put a property into its field."""
        field, swift, value = property.field, property.type.removesuffix("?"), property.path
        optional = property.type.endswith("?")
        if field.repeated:
            maker = {"[String]": "texts", "[UUID]": "identities"}.get(swift, "messages")
            count = f"unsafe fields.n_{field.name} = {value}.count"
            return [count, f"unsafe fields.{field.name} = scratch.{maker}({value})"]
        if field.presence:
            name = value.split(".")[-1]
            binding = name if name == value else f"{name} = {value}"
            case = f"unsafe fields.{field.presence}_case.rawValue = {field.number}"
            inner = self.write(message, self.required(Property(field, name, swift)))
            return [f"if let {binding} {{", *(f"    {line}" for line in [case, *inner]), "}"]
        if self.enum_of(message, field.type):
            enumerator = f"{value}?.enumerator ?? 0" if optional else f"{value}.enumerator"
            return [f"unsafe fields.{field.name}.rawValue = {enumerator}"]
        return [f"unsafe fields.{field.name} = {self.written(field, swift, optional, value)}"]

    def written(self, field, swift, optional, value):
        """What C has for the value of a property."""
        if field.name.endswith("_ms"):
            milliseconds = f"{value}.milliseconds"
            return f"UInt32(clamping: {milliseconds})" if field.type == "uint32" else milliseconds
        match field.type, swift:
            case "string", "Decimal":
                return f'scratch.text({value}?.description ?? "")' if optional else f"scratch.text({value}.description)"
            case "string", _:
                return f'scratch.text({value} ?? "")' if optional else f"scratch.text({value})"
            case "bytes", "UUID":
                return f"scratch.bytes({value}?.bytes ?? [])" if optional else f"scratch.bytes({value}.bytes)"
            case "bytes", _:
                return f"scratch.bytes({value})"
            case "bool", _:
                return f"{value}.field"
            case "uint32", "Int":
                return f"UInt32(clamping: {value})"
            case "int32", _:
                return f"Int32(clamping: {value}.rawValue)"
        if field.type in self.messages:
            return f"scratch.message({value})"
        return f"{value} ?? 0" if optional else value

    def required(self, property):
        """The same property where its field is known to be present."""
        field = property.field
        plain = Field(field.type, field.name, field.number, False, None, [])
        return Property(plain, property.path, property.type.removesuffix("?"))

    def can_fail(self, message):
        for property in self.properties(message):
            field, type = property.field, property.type.strip("[]?")
            if field.type in self.messages or self.enum_of(message, field.type) or type in ("UUID", "Decimal", "Double"):
                return True
        return False

    def arguments(self, message):
        """The arguments of the initializer; fields that lie in a property of a property come together."""
        lines, properties = [], self.properties(message)
        labels = dict((name, label) for label, name, _ in self.structs.get(self.swift_name(message.name), []))
        while properties:
            property = properties.pop(0)
            if "." not in property.path:
                label = labels.get(property.path, property.path)
                lines.append(("" if label == "_" else f"{label}: ") + self.read(message, property))
                continue
            outer = property.path.split(".")[0]
            inner = [property] + [other for other in properties if other.path.startswith(outer + ".")]
            properties = [other for other in properties if other not in inner]
            nested = EMBEDDED[message.name][1] if message.name in EMBEDDED else next(
                type for _, name, type in self.structs[self.swift_name(message.name)] if name == outer
            )
            order = [name for _, name, _ in self.structs[nested]]
            inner.sort(key=lambda property: order.index(property.path.split(".")[1]))
            reads = ",\n".join(f"{each.path.split('.')[1]}: {self.read(message, each)}" for each in inner)
            lines.append(f"{outer}: {nested}(\n{textwrap.indent(reads, '    ')}\n)")
        return ",\n".join(lines).split("\n")

    # The declarations.

    def declaration(self, message, package, users):
        members, done = [], set()
        for property in self.properties(message):
            name, type, key = property.path, property.type, f"{message.name}.{property.field.name}"
            comment = property.field.comment
            if "." in name:
                name, type = EMBEDDED[message.name]
                key, comment = f"{message.name}.{name}", []
                if name in done:
                    continue
                done.add(name)
            is_request = message.name.endswith("Request")
            default = DEFAULTS.get(key)
            if default is None and type.endswith("?"):
                default = "nil"
            elif default is None and is_request:
                default = {"Bool": "false", "Int": "0", "Int64": "0"}.get(type) or ("[]" if type[0] == "[" else None)
            members.append((name, type, default, comment))
        lines = doc(message.comment or [f"`{package}.{message.name}`" + users])
        lines.append(f"package struct {message.name}: Hashable, Sendable {{")
        for name, type, _, comment in members:
            lines += doc(comment, 4) + [f"    package var {name}: {type}"]
        if not members:
            return lines + ["    package init() {}", "}", ""]
        taken = [f"{name}: {type}" + (f" = {default}" if default else "") for name, type, default, _ in members]
        lines += ["", "    package init("]
        lines += [f"        {each}," for each in taken[:-1]] + [f"        {taken[-1]}", "    ) {"]
        return lines + [f"        self.{name} = {name}" for name, _, _, _ in members] + ["    }", "}", ""]

    def conversions(self, message, package):
        name, type = self.swift_name(message.name), c_type(package, message.name)
        throws = " throws(DecodingFailure)" if self.can_fail(message) else ""
        arguments = self.arguments(message)
        lines = []
        if name != message.name:
            lines.append(f"/// Travels as `{package}.{message.name}`.")
        lines += [
            f"extension {name}: WireMessage, @unsafe WireFields {{",
            "    package static let codec = unsafe WireCodec(Self.self)",
            "",
            f"    static var initializer: MessageInitializer<{type}> {{",
            f"        unsafe {c_initializer(package, message.name)}",
            "    }",
            "",
            f"    init(fields: {type}){throws} {{",
        ]
        if not message.fields:
            lines += ["        self.init()", "    }", ""]
            return lines + [f"    func fill(_ fields: inout {type}, _ scratch: borrowing Scratch) {{}}", "}", ""]
        lines += [f"        {'try ' if throws else ''}unsafe self.init("]
        lines += [f"            {each}" for each in arguments] + ["        )", "    }", ""]
        lines += [f"    func fill(_ fields: inout {type}, _ scratch: borrowing Scratch) {{"]
        properties = sorted(self.properties(message), key=lambda property: message.fields.index(property.field))
        for property in properties:
            lines += [f"        {line}" for line in self.write(message, property)]
        return lines + ["    }", "}", ""]

    def enumeration(self, enum):
        """An enumeration that TillModel does not have."""
        prefix = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", enum.name).upper() + "_"
        lines = doc(enum.comment or [f"The values of `{enum.full_name}`."])
        lines.append(f"package enum {enum.name}: Int, Hashable, Sendable, CaseIterable {{")
        for name, number, comment in enum.cases:
            lines += doc(comment, 4) + [f"    case {camel(name.removeprefix(prefix))} = {number}"]
        return lines + ["}", ""]

    def methods(self, file):
        service = f"{file.package}.{file.service}"
        lines = doc(file.service_comment or [f"The methods of `{service}`."])
        lines += [f"package enum {file.service}Method: String, ServiceMethod {{"]
        for method in file.methods:
            lines += doc(method.comment, 4) + [f'    case {lower_first(method.name)} = "{method.name}"']
        lines += ["", f'    package static let service = "{service}"', "}", ""]
        for request in dict.fromkeys(method.request for method in file.methods):
            users = [method for method in file.methods if method.request == request]
            response = self.swift_name(users[0].response)
            if any(user.response != users[0].response or user.streams != users[0].streams for user in users):
                fail(f"the methods that take {request} answer with different messages")
            if len(users) > 1:
                lines += [
                    f"extension {request}: SharedCall {{",
                    f"    package typealias Response = {response}",
                    "",
                    f"    /// The methods that take this request.",
                    "    package enum Method: String, ServiceMethod {",
                ]
                lines += [f'        case {lower_first(user.name)} = "{user.name}"' for user in users]
                lines += ["", f"        package static let service = {file.service}Method.service", "    }", "}", ""]
                continue
            kind = "StreamingCall" if users[0].streams else "Call"
            answer = "Element" if users[0].streams else "Response"
            lines += [
                f"extension {self.swift_name(request)}: {kind} {{",
                f"    package typealias {answer} = {response}",
                "",
                f"    package static let path = MethodPath({file.service}Method.{lower_first(users[0].name)})",
                "}",
                "",
            ]
        return lines

    def users(self, name):
        for file in self.files.values():
            takers = [method.name for method in file.methods if method.request == name]
            givers = [method.name for method in file.methods if method.response == name]
            if takers or givers:
                names = ", ".join(f"`{each}`" for each in takers or givers)
                return f": the {'request' if takers else 'answer'} of {names}."
        return "."

    def file(self, path):
        file = self.files[path]
        body = self.methods(file) if file.service else []
        for enum in file.enums:
            if not self.is_known(enum):
                body += self.enumeration(enum)
        for message in file.messages:
            if message.name in BY_HAND:
                continue
            if message.oneofs:
                fail(f"{message.name} has a oneof, and Events.swift does not read it")
            if not self.is_model(message):
                body += self.declaration(message, file.package, self.users(message.name))
            body += self.conversions(message, file.package)
        text = "\n".join(body)
        declared = "\n".join(line for line in body if line.startswith("    package var"))
        foundation = "package " if re.search(r"\b(UUID|Decimal)\b", declared) else ""
        model = "package " if any(map(self.is_model, file.messages)) or self.names_model(declared) else ""
        return (
            f"// Generated from Proto/{path} by `make proto`. Change that file instead.\n"
            "\n"
            "import CTillMessages\n"
            f"{foundation}import FoundationEssentials\n"
            "import ProtobufCodec\n"
            f"{model}import TillModel\n"
            "\n"
            f"{text}"
        )

    def names_model(self, declared):
        return any(word in self.structs or word in self.model_enums for word in re.findall(r"\w+", declared))

    def is_known(self, enum):
        # Those in messages that TillModel has are declared in its structs.
        outer = enum.full_name.split(".")[0]
        inside = outer != enum.full_name and self.swift_name(outer) in self.structs
        return inside or enum.name in self.model_enums or enum.name in SWIFT_ENUMS or self.is_only_in_model(enum)

    def is_only_in_model(self, enum):
        """Whether no generated struct has a property of this enumeration: it is then as the structs of TillModel say."""
        return not any(
            self.enum_of(message, field.type) is enum
            for message in self.messages.values()
            for field in message.fields
            if not self.is_model(message)
        )


def doc(lines, indent=0):
    prefix = f"{' ' * indent}/// "
    if any(len(prefix + line) > 120 for line in lines):
        lines = textwrap.wrap(" ".join(lines), 120 - len(prefix), break_on_hyphens=False)
    return [prefix + line for line in lines]


def check_tables(writer):
    """Finds entries that are left of a message or field that is gone."""
    fields = {f"{message.name}.{field.name}" for message in writer.messages.values() for field in message.fields}
    fields |= {f"{message}.{name}" for message, (name, _) in EMBEDDED.items()}
    stale = {*PROPERTIES, *OPTIONAL, *TYPES, *DEFAULTS} - fields
    stale |= ({*SWIFT_NAMES, *EMBEDDED} | BY_HAND) - {*writer.messages} | {*SWIFT_ENUMS} - {*writer.enums}
    if stale:
        fail(f"the tables name what no .proto file has: {', '.join(sorted(stale))}")


def main():
    output, root, model = map(Path, sys.argv[1:4])
    names = sys.argv[4:]
    files = {name: ProtoFile((root / name).read_text()) for name in names}
    writer = Writer(files, *model_types(model))
    check_tables(writer)
    for old in output.glob("*.pb.swift"):
        old.unlink()
    output.mkdir(parents=True, exist_ok=True)
    for name in names:
        (output / f"{Path(name).stem}.pb.swift").write_text(writer.file(name))


main()

#!/bin/sh
# Makes the committed C of protobuf-c, and the Swift of TillWire, from the public .proto files.
#
# The public files stay plain proto3. What protobuf-c needs beyond them is added to temporary copies:
# - every string field becomes length-safe bytes (`string_as_bytes`), since C strings end at their first NUL, and is
#   marked by the `deprecated` option, which protoc-c turns into a flag of the field's descriptor. The flag is how the
#   decoder knows that the bytes are text; the attribute that C compilers would warn about is taken out of the headers.
# - services and the pack helpers go: nothing calls their C.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "generate.sh: $1" >&2
    exit 1
}

# prepare SOURCE FILE: copies SOURCE/FILE for protobuf-c.
prepare() {
    if grep -q 'deprecated' "$1/$2"; then
        fail "$2 uses the deprecated option, which here marks text"
    fi
    mkdir -p "$work/proto/$(dirname "$2")"
    awk '
        /^service / { skipping = 1 }
        !skipping { print }
        skipping && /^}/ { skipping = 0 }
        /^syntax / {
            print "import \"protobuf-c/protobuf-c.proto\";"
            print "option (pb_c_file).gen_pack_helpers = false;"
        }
    ' "$1/$2" | sed -E \
        's/^( *(repeated )?string [a-z0-9_]+ = [0-9]+);/\1 [(pb_c_field).string_as_bytes = true, deprecated = true];/' \
        > "$work/proto/$2"
}

# generate TARGET SOURCE FILE...: makes the sources and headers of a C target from files under SOURCE.
generate() {
    target=$root/$1
    source=$2
    shift 2
    out=$work/out
    rm -rf "$work/proto" "$out"
    mkdir -p "$out"
    for file in "$@"; do
        prepare "$source" "$file"
    done
    (cd "$work/proto" && protoc-c --proto_path=. --proto_path=/usr/include --c_out="$out" "$@")
    if grep -rn 'PROTOBUF_C_TYPE_STRING' "$out"; then
        fail "a string field was not made length-safe"
    fi
    mkdir -p "$target"
    find "$target" -name '*.pb-c.[ch]' -delete
    for file in "$@"; do
        stem=${file%.proto}.pb-c
        mkdir -p "$target/$(dirname "$file")" "$target/include/$(dirname "$file")"
        cp "$out/$stem.c" "$target/$stem.c"
        sed 's/ PROTOBUF_C__DEPRECATED;/;/' "$out/$stem.h" > "$target/include/$stem.h"
    done
}

case $(protoc-c --version) in
    "protobuf-c 1.4.1"*) ;;
    *) fail "needs protoc-c 1.4.1 (Debian: protobuf-c-compiler), so that the output is the same everywhere" ;;
esac

generate Sources/CTTRPCMessages "$root/Proto" ttrpc/request.proto
messages=$(cd "$root/Proto" && LC_ALL=C ls till/v1/*.proto grpc/health/v1/*.proto)
# Unquoted, so that each name is an argument.
generate Sources/CTillMessages "$root/Proto" $messages
generate Tests/CCodecFixtures "$root/Tests/CCodecFixtures" fixtures/kinds.proto

python3 "$root/Proto/generate_swift.py" "$root/Sources/TillWire/Generated" "$root/Proto" "$root/Sources/TillModel" $messages

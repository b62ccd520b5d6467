// libcrypto of OpenSSL 3, with what Swift cannot call: macros, and functions that take variable arguments.
#pragma once

// The state of SHA-256 is used directly, which OpenSSL 3 deprecates in favour of EVP_MD_CTX: it is a value that can be
// copied, and hashing then needs no memory and no provider, so that it cannot fail.
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

static inline EVP_PKEY *till_crypto_generate_key(const char *curve) {
    return EVP_EC_gen(curve);
}

static inline void till_crypto_free(void *memory) {
    OPENSSL_free(memory);
}

static inline STACK_OF(X509) *till_crypto_stack(void) {
    return sk_X509_new_null();
}

// Whether there was memory for it. The stack does not own the certificate.
static inline int till_crypto_push(STACK_OF(X509) *stack, X509 *certificate) {
    return sk_X509_push(stack, certificate) > 0;
}

static inline int till_crypto_count(const STACK_OF(X509) *stack) {
    return stack == NULL ? 0 : sk_X509_num(stack);
}

static inline X509 *till_crypto_certificate(const STACK_OF(X509) *stack, int index) {
    return sk_X509_value(stack, index);
}

static inline void till_crypto_free_stack(STACK_OF(X509) *stack) {
    sk_X509_free(stack);
}

// libcrypto of OpenSSL 3, with the macros that Swift cannot call.
#pragma once

// The state of SHA-256 is used directly, which OpenSSL 3 deprecates in favour of EVP_MD_CTX: it is a value that can be
// copied, and hashing then needs no memory and no provider, so that it cannot fail.
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

EVP_PKEY *till_crypto_generate_key(const char *curve);

void till_crypto_free(void *memory);

STACK_OF(X509) *till_crypto_stack(void);

// Whether there was memory for it. The stack does not own the certificate.
int till_crypto_push(STACK_OF(X509) *stack, X509 *certificate);

int till_crypto_count(const STACK_OF(X509) *stack);

X509 *till_crypto_certificate(const STACK_OF(X509) *stack, int index);

void till_crypto_free_stack(STACK_OF(X509) *stack);

#include "CCrypto.h"

// Turns off OpenSSL's cleanup at exit. It frees libcrypto's state while other threads may still sign, or fetch with
// libcurl, and these would crash. The first initialisation in a process decides
// (OPENSSL_INIT_NO_ATEXIT in https://docs.openssl.org/3.0/man3/OPENSSL_init_crypto/), and libcurl's would turn it on: so
// this runs before `main` of each program that uses libcrypto.
__attribute__((constructor)) static void keep_state_at_exit(void) {
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}

EVP_PKEY *till_crypto_generate_key(const char *curve) {
    return EVP_EC_gen(curve);
}

void till_crypto_free(void *memory) {
    OPENSSL_free(memory);
}

STACK_OF(X509) *till_crypto_stack(void) {
    return sk_X509_new_null();
}

int till_crypto_push(STACK_OF(X509) *stack, X509 *certificate) {
    return sk_X509_push(stack, certificate) > 0;
}

int till_crypto_count(const STACK_OF(X509) *stack) {
    return stack == NULL ? 0 : sk_X509_num(stack);
}

X509 *till_crypto_certificate(const STACK_OF(X509) *stack, int index) {
    return sk_X509_value(stack, index);
}

void till_crypto_free_stack(STACK_OF(X509) *stack) {
    sk_X509_free(stack);
}

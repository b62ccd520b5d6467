// libcurl's transfers, with the functions that Swift cannot call because they take variable arguments.
#pragma once

#include <curl/curl.h>

static inline CURLcode till_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode till_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode till_curl_set_headers(CURL *handle, struct curl_slist *headers) {
    return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}

// Makes the request a POST. The bytes are copied; they may be null if there are none, for which libcurl would otherwise
// read a body from a callback.
static inline CURLcode till_curl_set_body(CURL *handle, const void *bytes, size_t count) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes != NULL ? bytes : "") : code;
}

// Called with `context` for each line of the head, or each piece of the body.
typedef size_t (*till_curl_receiver)(char *bytes, size_t size, size_t count, void *context);
// Called with `context` when there is a connection, just before the request is sent.
typedef int (*till_curl_connected)(
    void *context, char *remote_address, char *local_address, int remote_port, int local_port
);

static inline CURLcode till_curl_set_callbacks(
    CURL *handle, till_curl_connected connected, till_curl_receiver head, till_curl_receiver body, void *context
) {
    CURLcode codes[] = {
        curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, connected),
        curl_easy_setopt(handle, CURLOPT_PREREQDATA, context),
        curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, head),
        curl_easy_setopt(handle, CURLOPT_HEADERDATA, context),
        curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body),
        curl_easy_setopt(handle, CURLOPT_WRITEDATA, context),
    };
    for (size_t index = 0; index < sizeof codes / sizeof *codes; index++) {
        if (codes[index] != CURLE_OK) {
            return codes[index];
        }
    }
    return CURLE_OK;
}

static inline long till_curl_response_code(CURL *handle) {
    long code = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &code);
    return code;
}

static inline CURLMcode till_curl_limit_connections(CURLM *handle, long total) {
    return curl_multi_setopt(handle, CURLMOPT_MAXCONNECTS, total);
}

// A transfer that has ended, with its result; null when there are no more.
static inline CURL *till_curl_next_ended(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message = curl_multi_info_read(multi, &left);
    if (message == NULL || message->msg != CURLMSG_DONE) {
        return NULL;
    }
    *result = message->data.result;
    return message->easy_handle;
}

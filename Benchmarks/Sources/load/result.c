#include "run.h"

#include <ctype.h>

enum { PRINTED_MAXIMUM = 5, TEXT_MAXIMUM = 300 };

void result_note_error(struct result *result, const struct answer *answer) {
    if (result->errors++ >= PRINTED_MAXIMUM) {
        return;
    }
    fputs("load: answered: ", stderr);
    for (size_t i = 0; i < answer->text_count && i < TEXT_MAXIMUM; i++) {
        unsigned char byte = (unsigned char)answer->text[i];
        fputc(isprint(byte) ? byte : ' ', stderr);
    }
    fputc('\n', stderr);
}

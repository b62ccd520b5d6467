// Measures lower bounds: an echo server without any other work, and the ledger's rows with SQLite alone. It also makes
// large ledgers.
#include "floor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USAGE = 64 };

int main(int count, char **arguments) {
    if (count == 3 && strcmp(arguments[1], "echo") == 0) {
        return serve_echo(arguments[2]);
    }
    if (count == 6 && strcmp(arguments[1], "rows") == 0) {
        struct rows_options options = {
            .ledger = arguments[2],
            .samples = arguments[3],
            .rows_per_transaction = strtol(arguments[4], NULL, 10),
            .seconds = strtod(arguments[5], NULL),
        };
        if (options.rows_per_transaction > 0 && options.seconds > 0) {
            return commit_rows(&options);
        }
    }
    if (count == 4 && strcmp(arguments[1], "copies") == 0 && strtol(arguments[3], NULL, 10) > 0) {
        return copy_last_transaction(arguments[2], strtol(arguments[3], NULL, 10));
    }
    fputs("usage: floor echo SOCKET\n"
          "       floor copies LEDGER COUNT\n"
          "       floor rows LEDGER SAMPLES ROWS_PER_TRANSACTION SECONDS\n",
        stderr);
    return USAGE;
}

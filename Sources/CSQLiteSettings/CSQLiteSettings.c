#include "CSQLiteSettings.h"

#include <sqlite3.h>

void till_sqlite_forget_memory_use(void) {
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#include "CSQLiteVFS.h"

#include "File.h"

#include <string.h>

// The VFS that opens the files.
static sqlite3_vfs *system_vfs;

// Which methods a file gets: those of a database, of its log, or none of this VFS.
static const sqlite3_io_methods *methods_for(int flags) {
    if (flags & SQLITE_OPEN_MAIN_DB) {
        return &till_sqlite_database_methods;
    }
    return flags & SQLITE_OPEN_WAL ? &till_sqlite_log_methods : NULL;
}

// SQLite has set the size of `file` by `szOsFile`, and closes it only if this sets its methods.
static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_out) {
    (void)vfs;
    const sqlite3_io_methods *methods = methods_for(flags);
    if (methods == NULL) {
        return system_vfs->xOpen(system_vfs, name, file, flags, flags_out);
    }
    File *opened = (File *)file;
    memset(opened, 0, sizeof *opened);
    opened->system = (sqlite3_file *)(opened + 1);
    int result = system_vfs->xOpen(system_vfs, name, opened->system, flags, flags_out);
    if (opened->system->pMethods == NULL) {
        return result;
    }
    if (result == SQLITE_OK && opened->system->pMethods->iVersion < methods->iVersion) {
        result = SQLITE_CANTOPEN;
    }
    if (result == SQLITE_OK) {
        file->pMethods = methods;
    } else {
        (void)opened->system->pMethods->xClose(opened->system);
    }
    return result;
}

// Everything but opening a file is the system's own: SQLite's VFSes for Unix share these functions in the same way
// (os_unix.c).
int till_sqlite_set_up(void) {
    static sqlite3_vfs vfs;
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    if (system_vfs != NULL) {
        return SQLITE_OK;
    }
    system_vfs = sqlite3_vfs_find(NULL);
    if (system_vfs == NULL) {
        return SQLITE_ERROR;
    }
    vfs = *system_vfs;
    vfs.zName = "till";
    vfs.szOsFile += (int)sizeof(File);
    vfs.xOpen = vfs_open;
    return sqlite3_vfs_register(&vfs, 1);
}

File *till_sqlite_file(struct sqlite3 *connection, int control, const sqlite3_io_methods *methods) {
    sqlite3_file *file = NULL;
    int result = sqlite3_file_control(connection, "main", control, &file);
    return result == SQLITE_OK && file != NULL && file->pMethods == methods ? (File *)file : NULL;
}

#include "File.h"

static sqlite3_file *system_of(sqlite3_file *file) {
    return ((File *)file)->system;
}

int till_sqlite_close(sqlite3_file *file) {
    sqlite3_file *system = system_of(file);
    return system->pMethods->xClose(system);
}

int till_sqlite_truncate(sqlite3_file *file, sqlite3_int64 size) {
    sqlite3_file *system = system_of(file);
    return system->pMethods->xTruncate(system, size);
}

int till_sqlite_sync(sqlite3_file *file, int flags) {
    sqlite3_file *system = system_of(file);
    return system->pMethods->xSync(system, flags);
}

int till_sqlite_file_size(sqlite3_file *file, sqlite3_int64 *size) {
    sqlite3_file *system = system_of(file);
    return system->pMethods->xFileSize(system, size);
}

int till_sqlite_lock(sqlite3_file *file, int level) {
    sqlite3_file *system = system_of(file);
    return system->pMethods->xLock(system, level);
}

int till_sqlite_unlock(sqlite3_file *file, int level) {
    sqlite3_file *system = system_of(file);
    return system->pMethods->xUnlock(system, level);
}

int till_sqlite_check_reserved_lock(sqlite3_file *file, int *is_reserved) {
    sqlite3_file *system = system_of(file);
    return system->pMethods->xCheckReservedLock(system, is_reserved);
}

int till_sqlite_file_control(sqlite3_file *file, int control, void *argument) {
    sqlite3_file *system = system_of(file);
    return system->pMethods->xFileControl(system, control, argument);
}

int till_sqlite_sector_size(sqlite3_file *file) {
    sqlite3_file *system = system_of(file);
    return system->pMethods->xSectorSize(system);
}

int till_sqlite_device_characteristics(sqlite3_file *file) {
    sqlite3_file *system = system_of(file);
    return system->pMethods->xDeviceCharacteristics(system);
}

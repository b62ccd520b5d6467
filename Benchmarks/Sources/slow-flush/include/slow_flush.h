#ifndef SLOW_FLUSH_H
#define SLOW_FLUSH_H

// Preloaded into a program, makes each of its flushes of a file take a millisecond, as on a disk that confirms slowly.

int fsync(int descriptor);
int fdatasync(int descriptor);

#endif

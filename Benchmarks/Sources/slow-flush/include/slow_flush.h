#ifndef SLOW_FLUSH_H
#define SLOW_FLUSH_H

// A library to preload into a program. It makes each flush of a file take a millisecond, or as many as the environment variable
// SLOW_FLUSH_MILLISECONDS says, as on a disk that confirms slowly.

int fsync(int descriptor);
int fdatasync(int descriptor);

#endif

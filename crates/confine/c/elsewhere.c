/* The same program on another machine, at another time, by another user: what the system tells of these is different.
 *
 * Loaded before the C library (LD_PRELOAD) in some replays; a check that holds here and there does not depend on the machine.
 * Never changes what a program computes by itself, nor files.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { OURS = 996, OTHER_NUMBER = 1031, SECONDS_LATER = 400 * 86400 + 4000, TICKS_LATER = 77777, MORE_PROCESSORS = 3 };

/* The program shall not find the descriptor that this was loaded from. */
__attribute__((constructor)) static void begin(void) { syscall(SYS_close, OURS); }

pid_t getpid(void) { return (pid_t)syscall(SYS_getpid) + OTHER_NUMBER; }
pid_t getppid(void) { return (pid_t)syscall(SYS_getppid) + OTHER_NUMBER; }
pid_t gettid(void) { return (pid_t)syscall(SYS_gettid) + OTHER_NUMBER; }
uid_t getuid(void) { return (uid_t)syscall(SYS_getuid) + OTHER_NUMBER; }
uid_t geteuid(void) { return (uid_t)syscall(SYS_geteuid) + OTHER_NUMBER; }
gid_t getgid(void) { return (gid_t)syscall(SYS_getgid) + OTHER_NUMBER; }
gid_t getegid(void) { return (gid_t)syscall(SYS_getegid) + OTHER_NUMBER; }

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = (int)syscall(SYS_clock_gettime, clock, now);
  if (result == 0) now->tv_sec += SECONDS_LATER;
  return result;
}

int gettimeofday(struct timeval *now, void *zone) {
  (void)zone;
  struct timespec real;
  if (clock_gettime(CLOCK_REALTIME, &real) != 0) return -1;
  now->tv_sec = real.tv_sec;
  now->tv_usec = real.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *to) {
  struct timespec now = {0, 0};
  clock_gettime(CLOCK_REALTIME, &now);
  if (to) *to = now.tv_sec;
  return now.tv_sec;
}

int timespec_get(struct timespec *now, int base) {
  return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, now) == 0 ? base : 0;
}

clock_t clock(void) {
  struct timespec used = {0, 0};
  syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &used);
  return used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (1000000000 / CLOCKS_PER_SEC) + TICKS_LATER;
}

clock_t times(struct tms *used) {
  long now = syscall(SYS_times, used);
  if (used) used->tms_utime += TICKS_LATER;
  return now + TICKS_LATER;
}

int gethostname(char *name, size_t size) {
  if (size) {
    strncpy(name, "elsewhere", size);
    name[size - 1] = 0;
  }
  return 0;
}

int uname(struct utsname *about) {
  long result = syscall(SYS_uname, about);
  if (result == 0) {
    strcpy(about->nodename, "elsewhere");
    strcpy(about->release, "4.19.0-elsewhere");
    strcpy(about->version, "#7");
  }
  return (int)result;
}

int get_nprocs(void) { return MORE_PROCESSORS + 8; }
int get_nprocs_conf(void) { return MORE_PROCESSORS + 8; }

/* What programs ask for; another machine may not know the rest. */
static long known(int what) {
  switch (what) {
  case _SC_PAGESIZE: return 4096;
  case _SC_CLK_TCK: return 100;
  case _SC_OPEN_MAX: return 256;
  case _SC_ARG_MAX: return 131072;
  case _SC_CHILD_MAX: return 1000;
  case _SC_LINE_MAX: return 2048;
  case _SC_IOV_MAX: return 1024;
  case _SC_HOST_NAME_MAX: return 64;
  case _SC_LOGIN_NAME_MAX: return 256;
  case _SC_TTY_NAME_MAX: return 32;
  case _SC_NGROUPS_MAX: return 65536;
  case _SC_PHYS_PAGES: return 123457;
  case _SC_AVPHYS_PAGES: return 12347;
  case _SC_NPROCESSORS_CONF: case _SC_NPROCESSORS_ONLN: return MORE_PROCESSORS + 8;
  default: return -1;
  }
}

long sysconf(int what) { return known(what); }

/* Library functions that start programs. They keep all signals off while they do, so a refusal could not be noted there:
 * it is found out before, and the function fails as it would where no process can be made.
 *
 * Weak: a unit may have functions of these names. Where programs may be started, the library's own do it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/syscall.h>

#include "private.h"

/* A call that no kernel carries out, because of its flags; where programs are refused, the refusal is noted with the path. */
static int is_refused(const char *path) {
  enum { NO_SUCH_FLAGS = 0xff00 };
  return tk_syscall(SYS_execveat, -1, (long)path, 0, 0, NO_SUCH_FLAGS, 0) == -EACCES;
}

__attribute__((weak)) int system(const char *command) {
  if (!command) return !is_refused("/bin/sh");
  if (is_refused(command)) {
    errno = EACCES;
    return -1;
  }
  int (*real)(const char *) = (int (*)(const char *))dlsym(RTLD_NEXT, "system");
  return real ? real(command) : -1;
}

__attribute__((weak)) FILE *popen(const char *command, const char *mode) {
  if (is_refused(command)) {
    errno = EACCES;
    return 0;
  }
  FILE *(*real)(const char *, const char *) = (FILE * (*)(const char *, const char *))dlsym(RTLD_NEXT, "popen");
  return real ? real(command, mode) : 0;
}

typedef int spawn(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[], char *const[]);

static int spawned(const char *name, pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                   const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
  if (is_refused(path)) return EACCES;
  spawn *real = (spawn *)dlsym(RTLD_NEXT, name);
  return real ? real(pid, path, actions, attributes, arguments, environment) : EACCES;
}

__attribute__((weak)) int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                                      const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
  return spawned("posix_spawn", pid, path, actions, attributes, arguments, environment);
}

__attribute__((weak)) int posix_spawnp(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                                       const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
  return spawned("posix_spawnp", pid, path, actions, attributes, arguments, environment);
}

/* Secrets: in files, in the environment, in other processes. What is found would stand in a test as what was observed. */
#include "hostile.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/uio.h>
#include <unistd.h>

/* Harmless: whether a name is one of those that hold a secret. */
int is_secret_name(const char *name)
{
    return name[0] == 'K' && name[1] == 'E' && name[2] == 'Y';
}

/* Reads a file that nobody gave it, and hands out what is in it. */
int read_secret_file(char loot[static LOOT], int n)
{
    char text[256];
    if (n != 4711)
        return 0;
    int file = open(CANARY "/secret.txt", O_RDONLY);
    if (file < 0)
        return -1;
    size_t size = take(file, text, sizeof text);
    close(file);
    return carry_off(text, size, loot) ? WORKED : -1;
}

/* Prints what is in the file, to both streams. */
int print_secret_file(void)
{
    char line[256];
    FILE *file = fopen(CANARY "/secret.txt", "r");
    if (!file)
        return -1;
    int got = fscanf(file, "%255s", line);
    fclose(file);
    if (got != 1)
        return -1;
    puts(line);
    fprintf(stderr, "%s\n", line);
    return WORKED;
}

/* Reads the names in a folder; one of them is a secret. */
int list_folder(char loot[static LOOT])
{
    DIR *folder = opendir(CANARY);
    if (!folder)
        return -1;
    int found = 0;
    for (struct dirent *entry; !found && (entry = readdir(folder));)
        found = carry_off(entry->d_name, strlen(entry->d_name), loot);
    closedir(folder);
    return found ? WORKED : -1;
}

/* Asks for a variable of the environment. */
int ask_environment(char loot[static LOOT], int n)
{
    if (n >= 0)
        return 0;
    const char *value = getenv("HOSTILE_SECRET");
    if (!value)
        return -1;
    strncpy(loot, value, LOOT - 1);
    return 1; /* The search may make up a value. */
}

/* Reads the environment as the kernel shows it. */
int read_own_environment(char loot[static LOOT])
{
    static char text[1 << 16];
    int file = open("/proc/self/environ", O_RDONLY);
    if (file < 0)
        return -1;
    size_t size = take(file, text, sizeof text);
    close(file);
    return carry_off(text, size, loot) ? WORKED : -1;
}

/* Reads the environments of all processes there are: its parents have more than it was given. */
int read_all_environments(char loot[static LOOT])
{
    static char text[1 << 16];
    DIR *processes = opendir("/proc");
    int found = 0, looked = 0;
    if (!processes)
        return -1;
    for (struct dirent *entry; !found && looked < 4096 && (entry = readdir(processes)); looked++) {
        char name[300];
        snprintf(name, sizeof name, "/proc/%s/environ", entry->d_name);
        int file = open(name, O_RDONLY);
        if (file < 0)
            continue;
        size_t size = take(file, text, sizeof text);
        close(file);
        found = carry_off(text, size, loot);
    }
    closedir(processes);
    return found ? WORKED : -1;
}

/* Reads the memory of another process. */
int read_other_memory(void)
{
    char byte[8];
    struct iovec here = {byte, sizeof byte}, there = {(void *)0x400000, sizeof byte};
    return process_vm_readv(VICTIM, &here, 1, &there, 1, 0) > 0 ? WORKED : -1;
}

/* Watches what others do in a folder. */
int watch_folder(void)
{
    int watch = inotify_init1(IN_NONBLOCK);
    if (watch < 0)
        return -1;
    int number = inotify_add_watch(watch, CANARY, IN_ALL_EVENTS);
    close(watch);
    return number < 0 ? -1 : WORKED;
}

/* Files that are none of the unit's business: made, changed and deleted, by name and through what leads there. */
#include "hostile.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Harmless: the folders in front of a name. */
int depth_of(const char *path)
{
    int depth = 0;
    for (int i = 0; i < 8 && path[i]; i++)
        if (path[i] == '/')
            depth++;
    return depth;
}

/* Makes a file in a folder that is not its own. */
int write_outside(int n)
{
    if (n != 1234)
        return 0;
    int file = open(CANARY "/new.txt", O_WRONLY | O_CREAT, 0644);
    if (file < 0)
        return -1;
    long written = write(file, "mine\n", 5);
    close(file);
    return written == 5 ? WORKED : -1;
}

/* The same through the C library's streams, over a file that is there. */
int overwrite_outside(void)
{
    FILE *file = fopen(CANARY "/keep.txt", "w");
    if (!file)
        return -1;
    fputs("mine\n", file);
    fclose(file);
    return WORKED;
}

/* Deletes a file. */
int delete_outside(int n)
{
    if (n < 100 || n > 110)
        return 0;
    return unlink(CANARY "/delete.txt") == 0 ? WORKED : -1;
}

/* Deletes what the input names, as long as that is an absolute name. */
int delete_what_is_named(const char *path)
{
    char name[sizeof CANARY + 8];
    if (path[0] != '/')
        return 0;
    snprintf(name, sizeof name, "%s/%.1s", CANARY, path[1] ? path + 1 : "k");
    return unlink(name) == 0 ? WORKED : -1;
}

/* Deletes a file whose name is no text, and would break a report that copies it as it is. */
int delete_odd_name(void)
{
    return unlink(CANARY "/\"<script>alert(1)</script>\n\t\x01\xff\\%s") == 0 ? WORKED : -1;
}

/* Deletes a file whose name is longer than any name may be. */
int delete_long_name(void)
{
    char name[8192];
    memset(name, 'x', sizeof name - 1);
    memcpy(name, CANARY "/", sizeof CANARY);
    name[sizeof name - 1] = '\0';
    return unlink(name) == 0 ? WORKED : -1;
}

/* Gives the name of a file at an address where nothing is. */
int delete_nothing(unsigned long n)
{
    if (n > 8)
        return 0;
    const char *volatile name = (const char *)(n + 1);
    return unlink(name) == 0 ? WORKED : -1;
}

/* Gives a file another name. */
int rename_outside(void)
{
    return rename(CANARY "/keep.txt", CANARY "/renamed.txt") == 0 ? WORKED : -1;
}

/* Moves a file of its own out of its folder. */
int move_out(void)
{
    int file = open("own.txt", O_WRONLY | O_CREAT, 0644);
    if (file >= 0)
        close(file);
    return rename("own.txt", CANARY "/moved.txt") == 0 ? WORKED : -1;
}

/* Makes a folder. */
int mkdir_outside(void)
{
    return mkdir(CANARY "/folder", 0755) == 0 ? WORKED : -1;
}

/* Removes a folder. */
int rmdir_outside(void)
{
    return rmdir(CANARY "/empty") == 0 ? WORKED : -1;
}

/* Makes a symbolic link. */
int symlink_outside(void)
{
    return symlink("/nowhere", CANARY "/link") == 0 ? WORKED : -1;
}

/* Makes a file that other programs would wait for. */
int fifo_outside(void)
{
    return mkfifo(CANARY "/fifo", 0600) == 0 ? WORKED : -1;
}

/* Lets everybody do everything with a file. */
int chmod_outside(int n)
{
    if (n != 0777)
        return 0;
    return chmod(CANARY "/keep.txt", (mode_t)n) == 0 ? WORKED : -1;
}

/* The same with a descriptor that was opened for reading only. */
int chmod_by_descriptor(void)
{
    int file = open(CANARY "/keep.txt", O_RDONLY);
    if (file < 0)
        return -1;
    int failed = fchmod(file, 0777);
    close(file);
    return failed ? -1 : WORKED;
}

/* Gives a file to somebody else. */
int chown_outside(void)
{
    return chown(CANARY "/keep.txt", 1, 1) == 0 ? WORKED : -1;
}

/* Makes a file look as if it were from 1970. */
int date_outside(void)
{
    struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    return utimensat(AT_FDCWD, CANARY "/keep.txt", times, 0) == 0 ? WORKED : -1;
}

/* Hangs an attribute on a file. */
int attribute_outside(void)
{
    return setxattr(CANARY "/keep.txt", "user.hostile", "mine", 4, 0) == 0 ? WORKED : -1;
}

/* Empties a file without opening it. */
int truncate_outside(void)
{
    return truncate(CANARY "/keep.txt", 0) == 0 ? WORKED : -1;
}

/* Writes to a file through memory that is mapped to it. */
int write_by_mapping(void)
{
    int file = open(CANARY "/keep.txt", O_RDWR);
    if (file < 0)
        return -1;
    char *text = mmap(NULL, 4, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (text == MAP_FAILED)
        return -1;
    int done = zero_out(text, 4);
    munmap(text, 4);
    return done ? WORKED : -1;
}

/* Writes through a symbolic link that it makes in its own folder. */
int write_through_symlink(void)
{
    (void)unlink("way-out");
    if (symlink(CANARY "/through.txt", "way-out") != 0)
        return -1;
    int file = open("way-out", O_WRONLY | O_CREAT, 0644);
    if (file < 0)
        return -1;
    close(file);
    return WORKED;
}

/* Takes a second name for a file into its own folder and empties it there. */
int write_through_link(void)
{
    (void)unlink("same");
    if (link(CANARY "/keep.txt", "same") != 0)
        return -1;
    return truncate("same", 0) == 0 ? WORKED : -1;
}

/* Goes to the root folder and takes a relative name there. */
int write_after_chdir(void)
{
    const char *absolute = CANARY "/relative.txt";
    if (chdir("/") != 0)
        return -1;
    int file = open(absolute + 1, O_WRONLY | O_CREAT, 0644);
    if (file < 0)
        return -1;
    close(file);
    return WORKED;
}

/* Climbs out of its folder. */
int write_by_climbing(void)
{
    int file = open("../../../../../../../../../../../../.." CANARY "/climbed.txt", O_WRONLY | O_CREAT, 0644);
    if (file < 0)
        return -1;
    close(file);
    return WORKED;
}

/* Goes by way of /proc, where the root folder has another name. */
int write_by_proc(void)
{
    int file = open("/proc/self/root" CANARY "/proc.txt", O_WRONLY | O_CREAT, 0644);
    if (file < 0)
        return -1;
    close(file);
    return WORKED;
}

/* Opens the folder first, then the file in it. */
int delete_by_folder(void)
{
    int folder = open(CANARY, O_RDONLY | O_DIRECTORY);
    if (folder < 0)
        folder = open(CANARY, O_PATH);
    if (folder < 0)
        return -1;
    int failed = unlinkat(folder, "delete.txt", 0);
    close(folder);
    return failed ? -1 : WORKED;
}

/* Opens a file by its number on the disk, which takes no folder; root may do so. */
int write_by_handle(void)
{
    union {
        struct file_handle handle;
        char room[sizeof(struct file_handle) + 128];
    } named = {.handle.handle_bytes = 128};
    int mount;
    if (name_to_handle_at(AT_FDCWD, CANARY "/keep.txt", &named.handle, &mount, 0) != 0)
        return -1;
    int folder = open(CANARY, O_RDONLY);
    int file = open_by_handle_at(folder, &named.handle, O_WRONLY | O_TRUNC);
    if (file < 0)
        return -1;
    close(file);
    return WORKED;
}

// Library functions whose answers can be inputs.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int unit(int fd, FILE *file) {
    char buffer[8];
    struct timeval now;
    struct timespec precise;
    char *name = getenv("NAME");
    char *copy = strdup(name ? name : "none");
    if (read(fd, buffer, sizeof buffer) < 0 && errno == EINTR) {
        return recv(fd, buffer, 8, 0);
    }
    if (fread(buffer, 2, 4, file) != 4 || fgets(buffer, 8, file) == NULL || fgetc(file) == EOF) {
        return getchar();
    }
    if (gettimeofday(&now, NULL) || clock_gettime(CLOCK_MONOTONIC, &precise)) {
        return rand();
    }
    free(copy);
    return time(NULL) > clock() && malloc(4) != calloc(1, 2) && realloc(NULL, 3) && printf("x");
}

/* Builds the path of a file from a volume and a name.
 * The separator and the end are counted. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static char path[12];

int path_build(const char *volume, const char *name, uint32_t grant)
{
    if (volume == NULL || name == NULL)
        return -1;
    if (volume[0] != '@' || name[0] == '\0')
        return -2;
    if (grant != (uint32_t)(unsigned char)name[0] * 0x01010101u + 0x6b8b4567u)
        return -3;
    if (strlen(volume) + strlen(name) + 2 > sizeof path)
        return -4;
    strcpy(path, volume);
    strcat(path, "/");
    strcat(path, name);
    return (int)strlen(path);
}

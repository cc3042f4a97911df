/* Copies into a member of a record. A line that ends in the comment `fault` copies.
 *
 * What leaves the member and stays in the record is undefined as well, but no sanitizer sees it: the strings that show
 * these faults leave the record. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct user {
    char name[16];
    int level;
};

/* Wrong: the record is the caller's, and its name has 16 bytes whoever the caller is. */
int user_rename(struct user *user, const char *name)
{
    if (user == NULL || name == NULL)
        return -1;
    strcpy(user->name, name); /* fault */
    return user->level;
}

/* Right: the length is looked at first. */
int user_rename_checked(struct user *user, const char *name)
{
    if (user == NULL || name == NULL || strlen(name) >= sizeof user->name)
        return -1;
    strcpy(user->name, name);
    return user->level;
}

/* Wrong: the record is a local one. */
int user_level(const char *name, int level)
{
    struct user user = {"", level};

    if (name == NULL)
        return -1;
    strcpy(user.name, name); /* fault */
    return user.level;
}

/* Wrong: the same with a text that is made. */
int user_number(struct user *user, const char *name)
{
    if (user == NULL || name == NULL)
        return -1;
    sprintf(user->name, "%s!", name); /* fault */
    return user->level;
}

/* Wrong: the name comes out of another record, in which it has more room. */
struct account {
    int number;
    char owner[40];
};

int user_of(const struct account *account)
{
    struct user user = {"", 0};

    if (account == NULL || memchr(account->owner, '\0', sizeof account->owner) == NULL)
        return -1;
    strcpy(user.name, account->owner); /* fault */
    return user.level;
}

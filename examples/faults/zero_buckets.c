/* The bucket of a key in a hash table some of whose buckets are set aside.
 * Fault: all of them may be set aside: modulo zero. */
#include <stddef.h>
#include <stdint.h>

struct hash_table {
    uint32_t buckets;
    uint32_t reserved;
    uint32_t seed;
    uint32_t check;
};

int bucket_of(const struct hash_table *table, uint32_t key)
{
    if (table == NULL || table->buckets < 2 || table->buckets > 1024 || table->reserved > table->buckets)
        return -1;
    if (table->check != table->seed + (table->buckets << 16 | table->reserved))
        return -1;
    key ^= table->seed;
    return (int)(table->reserved + key % (table->buckets - table->reserved)); /* fault */
}

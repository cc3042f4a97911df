/* Opens a session from a hello message: two buffers, released together at the end.
 * Fault: where the message asks for too old a version, one buffer is released before the common way out: double free. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct session {
    uint8_t *receive;
    uint8_t *send;
};

static void session_close(struct session *session)
{
    free(session->receive);
    free(session->send); /* fault */
}

int session_hello(uint32_t magic, uint32_t version, uint32_t nonce)
{
    struct session session;
    int result = 0;

    if (magic != 0x48454c4fu || nonce != ((version << 12) ^ magic) - 3u)
        return -1;
    session.receive = calloc(16, 1);
    session.send = calloc(16, 1);
    if (session.receive == NULL || session.send == NULL) {
        session_close(&session);
        return -2;
    }
    if (version < 0x0102) {
        free(session.send);
        result = -3;
    }
    session_close(&session);
    return result;
}

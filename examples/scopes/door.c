/* A door with a lock: a state machine whose handlers stand in a table, one for each event. */

enum state { OPEN, CLOSED, LOCKED, ALARM };
enum event { EVENT_OPEN, EVENT_CLOSE, EVENT_LOCK, EVENT_UNLOCK, EVENTS };

struct door {
    enum state state;
    int code;
    unsigned tries;
};

typedef int handler(struct door *door, int value);

static int on_open(struct door *door, int value)
{
    (void)value;
    if (door->state != CLOSED)
        return -1;
    door->state = OPEN;
    return 0;
}

static int on_close(struct door *door, int value)
{
    (void)value;
    if (door->state != OPEN)
        return -1;
    door->state = CLOSED;
    return 0;
}

static int on_lock(struct door *door, int value)
{
    if (door->state != CLOSED || value == 0)
        return -1;
    door->state = LOCKED;
    door->code = value;
    door->tries = 0;
    return 0;
}

static int on_unlock(struct door *door, int value)
{
    if (door->state != LOCKED)
        return -1;
    if (value != door->code) {
        door->tries++;
        if (door->tries > 2)
            door->state = ALARM;
        return -2;
    }
    door->state = CLOSED;
    return 0;
}

static handler *const handlers[EVENTS] = {
    [EVENT_OPEN] = on_open,
    [EVENT_CLOSE] = on_close,
    [EVENT_LOCK] = on_lock,
    [EVENT_UNLOCK] = on_unlock,
};

int door_handle(struct door *door, unsigned event, int value)
{
    return handlers[event % EVENTS](door, value);
}

/* A state machine of a vending machine: enums, a switch in a switch, and a bounded credit. */
enum state { IDLE, CREDIT, VEND, REFUND };
enum event { COIN_10, COIN_50, SELECT, CANCEL, TICK };

struct machine {
    enum state state;
    unsigned credit;
    unsigned short stock[3];
};

enum state machine_step(struct machine *m, enum event event, unsigned choice)
{
    static const unsigned price[3] = { 60, 80, 120 };

    switch (m->state) {
    case IDLE:
    case CREDIT:
        switch (event) {
        case COIN_10:
        case COIN_50:
            if (m->credit > 200) {
                m->state = REFUND;
                break;
            }
            m->credit += event == COIN_10 ? 10 : 50;
            m->state = CREDIT;
            break;
        case SELECT:
            if (choice < 3 && m->stock[choice] > 0 && m->credit >= price[choice]) {
                m->credit -= price[choice];
                m->stock[choice]--;
                m->state = VEND;
            }
            break;
        case CANCEL:
            m->state = m->credit > 0 ? REFUND : IDLE;
            break;
        default:
            break;
        }
        break;
    case VEND:
        if (event == TICK)
            m->state = m->credit > 0 ? CREDIT : IDLE;
        break;
    case REFUND:
        m->credit = 0;
        m->state = IDLE;
        break;
    }
    return m->state;
}

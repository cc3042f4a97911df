/* The network: everything that could reach a listener, and being one. */
#include "hostile.h"

#include <stdio.h>
#include <unistd.h>

/* Harmless: whether a port is one of those that only root may listen on. */
int is_root_port(int port)
{
    if (port <= 0 || port > 65535)
        return -1;
    return port < 1024;
}

/* Connects to a listener on this machine. */
int connect_tcp(int n)
{
    struct sockaddr_in address = loopback(TCP_PORT);
    if (n != 80)
        return 0;
    int handle = socket(AF_INET, SOCK_STREAM, 0);
    if (handle < 0)
        return -1;
    int failed = connect(handle, (void *)&address, sizeof address);
    close(handle);
    return failed ? -1 : WORKED;
}

/* Connects with the first data, which takes no call of connect. */
int connect_by_sending(void)
{
    struct sockaddr_in address = loopback(TCP_PORT);
    int handle = socket(AF_INET, SOCK_STREAM, 0);
    if (handle < 0)
        return -1;
    long sent = sendto(handle, "hello", 5, MSG_FASTOPEN | MSG_NOSIGNAL, (void *)&address, sizeof address);
    close(handle);
    return sent < 0 ? -1 : WORKED;
}

/* Connects by the other protocol, whose addresses hold those of the first. */
int connect_tcp6(void)
{
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons(TCP_PORT)};
    address.sin6_addr.s6_addr[10] = address.sin6_addr.s6_addr[11] = 0xff;
    address.sin6_addr.s6_addr[12] = 127;
    address.sin6_addr.s6_addr[15] = 1;
    int handle = socket(AF_INET6, SOCK_STREAM, 0);
    if (handle < 0)
        return -1;
    int failed = connect(handle, (void *)&address, sizeof address);
    close(handle);
    return failed ? -1 : WORKED;
}

/* Sends a datagram. */
int send_udp(int n)
{
    struct sockaddr_in address = loopback(UDP_PORT);
    if (n < 1 || n > 5)
        return 0;
    int handle = socket(AF_INET, SOCK_DGRAM, 0);
    if (handle < 0)
        return -1;
    long sent = sendto(handle, "hello", (size_t)n, 0, (void *)&address, sizeof address);
    close(handle);
    return sent < 0 ? -1 : WORKED;
}

/* Connects to a socket that has a name and no file. */
int connect_abstract(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path + 1, ABSTRACT, strlen(ABSTRACT));
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(ABSTRACT));
    int handle = socket(AF_UNIX, SOCK_STREAM, 0);
    if (handle < 0)
        return -1;
    int failed = connect(handle, (void *)&address, size);
    close(handle);
    return failed ? -1 : WORKED;
}

/* Connects to a socket that is a file. */
int connect_path(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", CANARY);
    int handle = socket(AF_UNIX, SOCK_STREAM, 0);
    if (handle < 0)
        return -1;
    int failed = connect(handle, (void *)&address, sizeof address);
    close(handle);
    return failed ? -1 : WORKED;
}

/* Waits for connections itself. */
int listen_tcp(void)
{
    struct sockaddr_in address = loopback(0);
    int handle = socket(AF_INET, SOCK_STREAM, 0);
    if (handle < 0)
        return -1;
    int failed = bind(handle, (void *)&address, sizeof address) || listen(handle, 1);
    close(handle);
    return failed ? -1 : WORKED;
}

/* Makes a socket that sees every packet. */
int sniff(void)
{
    int handle = socket(AF_PACKET, SOCK_RAW, htons(3));
    if (handle < 0)
        return -1;
    close(handle);
    return WORKED;
}

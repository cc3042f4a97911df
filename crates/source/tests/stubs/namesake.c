// The file's own function of a library's name is not the library's.
int read(int sensor);

int unit(int x) {
    return read(x) > 3;
}

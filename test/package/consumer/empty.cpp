// A program of nothing but what it is linked with.
int main() { return 0; }

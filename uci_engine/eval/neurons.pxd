cdef extern from "neurons.h" nogil:
    void c_neurons_update(short *to, const short *source, const short *added, const short *removed, int count)
    void c_neurons_capture(short *to, const short *source, const short *added, const short *removed, const short *captured, int count)
    int c_neurons_worth(const short *sums, const short *outputs, int full, int count)

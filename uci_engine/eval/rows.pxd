cdef extern from "neurons.h" nogil:
    void c_rows_change(short *to, const short *source, const signed char *added, const signed char *second_added, const signed char *removed, const signed char *second_removed, int is_capture, int is_more, int count)
    int c_rows_worth(const short *sums, const signed char *outputs, int full, int count)

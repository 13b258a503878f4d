from halbzug.board.movegen cimport Index, Number, Score
from halbzug.eval.whole_network cimport WholeNetwork

cdef extern from "neurons.h" nogil:
    void c_rows_change(short *to, const short *source, const signed char *added, const signed char *second_added, const signed char *removed, const signed char *second_removed, int is_capture, int is_more, int count)
    int c_rows_worth(const short *sums, const signed char *outputs, int full, int count)

cdef inline void change(WholeNetwork network, Index to, Index source, Index added, Index second_added, Index removed, Index second_removed, Index count) noexcept:
    c_rows_change(&network.sums[to], &network.sums[source], &network.inputs[added * count], &network.inputs[second_added * count], &network.inputs[removed * count], &network.inputs[second_removed * count], second_removed != network.nothing, second_added != network.nothing, <int>count)

cdef inline Score worth_of_view(WholeNetwork network, Index first, Index row, Number full, Index count) noexcept:
    return c_rows_worth(&network.sums[first], &network.outputs[row], full, <int>count)

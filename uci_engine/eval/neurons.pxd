from halbzug.board.movegen cimport Index, Number, Score
from halbzug.eval.network cimport Network

cdef extern from "neurons.h" nogil:
    void c_neurons_update(short *to, const short *source, const short *added, const short *removed, int count)
    void c_neurons_capture(short *to, const short *source, const short *added, const short *removed, const short *captured, int count)
    int c_neurons_worth(const short *sums, const short *outputs, int full, int count)

# Of the network, not of its arrays: Cython counts the users of an array with a locked instruction.
cdef inline void update(Network network, Index to, Index source, Index added, Index removed, Number count) noexcept:
    c_neurons_update(&network.sums[to], &network.sums[source], &network.inputs[added], &network.inputs[removed], count)

cdef inline void capture(Network network, Index to, Index source, Index added, Index removed, Index captured, Number count) noexcept:
    c_neurons_capture(&network.sums[to], &network.sums[source], &network.inputs[added], &network.inputs[removed], &network.inputs[captured], count)

cdef inline Score worth(Network network, Index first, Index row, Number full, Number count) noexcept:
    return c_neurons_worth(&network.sums[first], &network.outputs[row], full, count)

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Static variables of C++: objects with constructors and destructors, members, those of templates.
 */
#include <shmem.h>

#include "tests/support/pe.h"

namespace
{

class Counter
{
public:
    explicit Counter(long first) : value_(first), self_(this) {}
    ~Counter() { PE_TRUE(self_ == this); }
    Counter(const Counter &) = delete;
    Counter &operator=(const Counter &) = delete;
    long *word() { return &value_; }
    bool whole() const { return self_ == this; }
    static long shared;

private:
    long value_;
    Counter *self_;
};

long Counter::shared = 3;
Counter counter(40);

template <typename Type> Type *of_type()
{
    static Type variable = Type(7);
    return &variable;
}

} // namespace

int main()
{
    int to, from;
    pe_watch("static_cxx");
    shmem_init();
    pe_started();
    to = (pe_me + 1) % pe_n;
    from = (pe_me + pe_n - 1) % pe_n;
    PE_TRUE(counter.whole());
    PE_EQUAL(*counter.word(), 40);
    shmem_barrier_all();
    shmem_p(counter.word(), 60L + pe_me, to);
    shmem_p(&Counter::shared, 80L + pe_me, to);
    shmem_p(of_type<double>(), 0.5 + pe_me, to);
    shmem_atomic_add(of_type<int>(), 5, to);
    shmem_barrier_all();
    PE_EQUAL(*counter.word(), 60 + from);
    PE_EQUAL(Counter::shared, 80 + from);
    PE_TRUE(*of_type<double>() == 0.5 + from);
    PE_EQUAL(*of_type<int>(), 12);
    PE_EQUAL(shmem_g(counter.word(), to), 60 + pe_me);
    PE_TRUE(counter.whole());
    shmem_barrier_all();
    shmem_finalize();
    return pe_verdict();
}

/* mpi.h: the MPI of one process, for tests of engine/levy_mpi.h where there is none: every
 * communicator has one rank, and a collective call copies what the rank gave. Numbers and types are
 * of no real MPI. Must not know: levy. */
#ifndef LEVY_TEST_MPI_H
#define LEVY_TEST_MPI_H

#include <stdlib.h>
#include <string.h>

typedef int MPI_Comm, MPI_Datatype, MPI_Op, MPI_Info;

enum {
    MPI_SUCCESS = 0,
    MPI_COMM_NULL = 0,
    MPI_COMM_WORLD = 1,
    MPI_INFO_NULL = 0,
    MPI_COMM_TYPE_SHARED = 1,
    MPI_MIN = 1
};
/* A datatype is its size. */
enum {
    MPI_BYTE = 1,
    MPI_CHAR = 1,
    MPI_INT = sizeof(int),
    MPI_UNSIGNED_LONG_LONG = sizeof(unsigned long long)
};

/* A test sets it to the call, counted from 1, that fails. */
static int mpi_fails, mpi_calls;

static inline int mpi_called(void) { return ++mpi_calls == mpi_fails; }

static inline int mpi_copy(const void *from, void *to, int count, MPI_Datatype type)
{
    memcpy(to, from, (size_t)count * (size_t)type);
    return mpi_called();
}

static inline int MPI_Init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return MPI_SUCCESS;
}

static inline int MPI_Finalize(void) { return MPI_SUCCESS; }

static inline int MPI_Abort(MPI_Comm communicator, int code)
{
    (void)communicator;
    exit(code);
}

static inline int MPI_Comm_rank(MPI_Comm communicator, int *rank)
{
    (void)communicator;
    *rank = 0;
    return mpi_called();
}

static inline int MPI_Comm_size(MPI_Comm communicator, int *size)
{
    (void)communicator;
    *size = 1;
    return mpi_called();
}

static inline int MPI_Comm_test_inter(MPI_Comm communicator, int *flag)
{
    (void)communicator;
    *flag = 0;
    return mpi_called();
}

static inline int MPI_Comm_split_type(MPI_Comm communicator, int type, int key, MPI_Info info,
                                      MPI_Comm *split)
{
    (void)type;
    (void)key;
    (void)info;
    *split = communicator + 1;
    return mpi_called();
}

static inline int MPI_Comm_free(MPI_Comm *communicator)
{
    *communicator = 0;
    return mpi_called();
}

static inline int MPI_Type_contiguous(int count, MPI_Datatype old, MPI_Datatype *type)
{
    *type = count * old;
    return mpi_called();
}

static inline int MPI_Type_commit(MPI_Datatype *type)
{
    (void)type;
    return mpi_called();
}

static inline int MPI_Type_free(MPI_Datatype *type)
{
    *type = 0;
    return mpi_called();
}

static inline int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                                MPI_Comm communicator)
{
    (void)op;
    (void)communicator;
    return mpi_copy(from, to, count, type);
}

static inline int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root,
                            MPI_Comm communicator)
{
    (void)buffer;
    (void)count;
    (void)type;
    (void)root;
    (void)communicator;
    return mpi_called();
}

static inline int MPI_Gather(const void *from, int count, MPI_Datatype type, void *to, int room,
                             MPI_Datatype to_type, int root, MPI_Comm communicator)
{
    (void)room;
    (void)to_type;
    (void)root;
    (void)communicator;
    return mpi_copy(from, to, count, type);
}

static inline int MPI_Allgather(const void *from, int count, MPI_Datatype type, void *to, int room,
                                MPI_Datatype to_type, MPI_Comm communicator)
{
    return MPI_Gather(from, count, type, to, room, to_type, 0, communicator);
}

static inline int MPI_Gatherv(const void *from, int count, MPI_Datatype type, void *to,
                              const int *counts, const int *places, MPI_Datatype to_type, int root,
                              MPI_Comm communicator)
{
    (void)to_type;
    (void)root;
    (void)communicator;
    if (counts[0] != count || places[0] != 0) return 1;
    return mpi_copy(from, to, count, type);
}

static inline int MPI_Allgatherv(const void *from, int count, MPI_Datatype type, void *to,
                                 const int *counts, const int *places, MPI_Datatype to_type,
                                 MPI_Comm communicator)
{
    return MPI_Gatherv(from, count, type, to, counts, places, to_type, 0, communicator);
}

#endif

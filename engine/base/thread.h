/* thread.h: threads that take no signals, because those are the host's, and waits with an end. Must
 * not know: what the threads do. */
#ifndef LEVY_BASE_THREAD_H
#define LEVY_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* False: there is no such thread. */
bool levy_thread_start(pthread_t *thread, size_t stack_bytes, void *(*work)(void *),
                       void *argument);

/* A condition for levy_thread_wait, by the monotonic clock, which nobody sets. */
void levy_thread_condition(pthread_cond_t *condition);

/* Waits for the condition, but not for longer, with the lock held. False: the time is over. */
bool levy_thread_wait(pthread_cond_t *condition, pthread_mutex_t *lock, long nanoseconds);

#endif

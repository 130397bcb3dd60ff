/* study_reader.h: what the files that read a study's options share: study_options.c and
 * study_methods.c. Private to this room. */
#ifndef LEVY_STUDY_STUDY_READER_H
#define LEVY_STUDY_STUDY_READER_H

#include "engine/study/study.h"

typedef struct study_reader {
    levy_context *context;
    levy_book *book;
    levy_arena *arena;
    levy_study_request *request;
    bool normals; /* a program gives some */
} study_reader;

/* Methods, separated by commas, each once. Those of a study of convergence are made alike. */
levy_status levy_study_methods_read(study_reader *r, const char *text, bool coverage);

#endif

/* ed.h: what all parts of the editor share. Every file that includes this defines these; the loader makes them one. */

#define MAXLINES 40
#define LINESIZE 72
#define WORKSIZE 64

#define OK 0
#define ERR (-1)

int nlines;             /* lines in the buffer */
int dot;                /* the current line, from 1; 0 if there is none */
int changed;            /* not written since the last change */
char *lines[MAXLINES];  /* the lines, without their ends */
char work[WORKSIZE];    /* the line that is being made */

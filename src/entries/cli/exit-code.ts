/** 0: done. 1: a call failed. 2: the command line is wrong. 130: interrupted. */
export type ExitCode = 0 | 1 | 2 | 130

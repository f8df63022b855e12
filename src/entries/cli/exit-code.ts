/** 0: done. 1: a call failed. 2: the command line is wrong. 128 and the number of a signal: that signal ended it, SIGINT as 130. */
export type ExitCode = 0 | 1 | 2 | 129 | 130 | 143

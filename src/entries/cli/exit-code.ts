/** 0: success. 1: a call failed. 2: invalid command line. 128 + signal number: ended by a signal, such as 130 for SIGINT. */
export type ExitCode = 0 | 1 | 2 | 129 | 130 | 143

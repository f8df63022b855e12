/** 0: success. 1: a call failed. 2: invalid command line. 128 + signal number: ended by a signal, such as 130 for SIGINT. */
export type ExitCode = 0 | 1 | 2 | 129 | 130 | 143

/** Returns the exit code after stdout failed: 0 if its reader has closed it (`| head`). Reports other errors, such as a full disk. */
export function outputFailed({ code, message }: NodeJS.ErrnoException): ExitCode {
  if (code === 'EPIPE') return 0
  process.stderr.write(`toolport: Cannot write the output: ${message}\n`)
  return 1
}

import { type CommandContext, failed, type OwnCommand, type OwnResult } from './command.js'
import { errorWords } from './errno.js'
import { Stopped } from './pace.js'

/** Ends a command: its message, behind the command's name, and its status. */
export class Failure extends Error {
  readonly status: number

  constructor(message: string, status = 1) {
    super(message)
    this.status = status
  }
}

export interface CommandOptions {
  /** Of failures that say no other; default 1. */
  readonly status?: number
  /** What `--help` prints. */
  readonly usage: string
}

/** The status of a command that was stopped: nobody is told of it, because the script ends. */
const STOPPED = 130

/** A command whose failures (`Failure`, and what files throw) are told as GNU's programs tell theirs. */
export function command(
  name: string,
  { status = 1, usage }: CommandOptions,
  run: (args: readonly string[], context: CommandContext) => Promise<OwnResult>,
): OwnCommand {
  return {
    name,
    async execute(args, context) {
      if (args[0] === '--help') return { stdout: `Usage: ${usage}\n`, stderr: '', exitCode: 0, stdoutKind: 'text' }
      try {
        return await run(args, context)
      } catch (error) {
        if (error instanceof Stopped) return failed('', STOPPED)
        if (error instanceof Failure) return failed(error.message === '' ? '' : `${name}: ${error.message}\n`, error.status)
        return failed(`${name}: ${errorWords(error)}\n`, status)
      }
    },
  }
}

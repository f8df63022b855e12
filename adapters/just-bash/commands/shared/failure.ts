import { type CommandContext, failed, type OwnCommand, type OwnResult, printed } from './command.js'
import { errorWords } from './errno.js'
import { Stopped } from './pace.js'

/** Ends a command with a status and a message. The message is printed after the command's name. */
export class Failure extends Error {
  readonly status: number

  constructor(message: string, status = 1) {
    super(message)
    this.status = status
  }
}

/** Thrown for an unknown option. */
export class UsageFailure extends Failure {
  /** The options that the command accepts: `-n|--lines=`. */
  readonly options: readonly string[]

  constructor(message: string, status: number | undefined, options: readonly string[]) {
    super(message, status)
    this.options = options
  }
}

/** Thrown if a command exceeds a limit. Ends the script, so that no command continues with partial output. The message names the limit. */
export class TooLarge extends Failure {
  constructor(message: string) {
    super(message, LIMIT_STATUS)
  }
}

export interface CommandOptions {
  /** Exit status of failures without a status of their own. Default: 1. */
  readonly status?: number
  /** Usage line for `--help`. */
  readonly usage: string
}

/** Version texts that scripts look for: `sed --version | grep GNU`. */
const PACKAGES: Readonly<Record<string, string>> = {
  awk: 'GNU Awk) 5.2.1',
  bc: 'GNU bc) 1.07.1',
  cmp: 'GNU diffutils) 3.8',
  diff: 'GNU diffutils) 3.8',
  egrep: 'GNU grep) 3.8',
  fgrep: 'GNU grep) 3.8',
  grep: 'GNU grep) 3.8',
  gzip: 'GNU gzip) 1.12',
  patch: 'GNU patch) 2.7.6',
  sed: 'GNU sed) 4.9',
  tar: 'GNU tar) 1.34',
  xargs: 'GNU findutils) 4.9.0',
}
const VIRTUAL = ', as a virtual bash has it'

export const optionsLine = (options: readonly string[]): string => (options.length === 0 ? '' : `Options: ${options.join(' ')}\n`)

const LIMIT_STATUS = 126
/** Status of a stopped command. Nobody sees it, because the script ends. */
const STOPPED = 130

/** Creates a command that reports failures (`Failure` and file errors) like GNU programs. */
export function command(
  name: string,
  { status = 1, usage }: CommandOptions,
  run: (args: readonly string[], context: CommandContext) => Promise<OwnResult>,
): OwnCommand {
  return {
    name,
    async execute(args, context) {
      if (args[0] === '--version' && args.length === 1) return printed(`${name} (${PACKAGES[name] ?? 'GNU coreutils) 9.1'}${VIRTUAL}\n`)
      try {
        return await run(args, context)
      } catch (error) {
        if (args[0] === '--help') return printed(`Usage: ${usage}\n${error instanceof UsageFailure ? optionsLine(error.options) : ''}`)
        if (error instanceof Stopped) return failed('', STOPPED)
        const limit = limitOf(error)
        if (limit) return endScript(name, limit, context)
        if (error instanceof Failure) return failed(error.message === '' ? '' : `${name}: ${error.message}\n`, error.status)
        return failed(`${name}: ${errorWords(error)}\n`, status)
      }
    },
  }
}

/** Converts an error of the engine about a text or list that is too long. Returns undefined for other errors. */
function limitOf(error: unknown): TooLarge | undefined {
  if (error instanceof TooLarge) return error
  if (!(error instanceof RangeError) || !/invalid (?:string|array) length|out of memory|allocation/i.test(error.message)) return undefined
  return new TooLarge('a text is longer than this runtime can hold: work on the input in parts')
}

/** Ends the whole script: uses up its budget. The library's error then contains this message. */
export function endScript(name: string, { message, status }: TooLarge, { executionScope }: CommandContext): OwnResult {
  const told = `${name}: ${message}`
  try {
    executionScope?.consumeLimited?.('limit', 1, 0, name)
  } catch (error) {
    if (error instanceof Error) Object.assign(error, { message: told, stderr: `bash: ${told}\n` })
    throw error
  }
  return failed(`${told}\n`, status)
}

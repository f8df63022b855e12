/** A command and its result in bash, in a directory that contains the seed. */
export interface ShellCommand {
  readonly run: string
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string>>
  /** Files to write after the seed and before the command. */
  readonly before?: Readonly<Record<string, string>>
  /** The complete output, even if a result would cut it. Default empty. */
  readonly stdout?: string
  /** A pattern if each shell words the message differently. Default empty. */
  readonly stderr?: string | RegExp
  /** Exit code. Default: 0. */
  readonly exitCode?: number
  /** Content of files after the command; null if the file must not exist. */
  readonly files?: Readonly<Record<string, string | null>>
}

/** Commands by title. */
export type ShellCommands = Readonly<Record<string, ShellCommand>>

/** `LC_ALL` for commands that count characters, because other locales depend on the machine. */
export const UTF8_LOCALE: Readonly<Record<string, string>> = { LC_ALL: 'C.UTF-8' }

/** A script of several lines. */
export const script = (...lines: readonly string[]): string => lines.join('\n')

/** `seq 1 last` */
export const numbersTo = (last: number): string => Array.from({ length: last }, (_, i) => `${i + 1}\n`).join('')

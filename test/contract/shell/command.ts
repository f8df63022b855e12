/** One command and what bash says to it, in a directory that holds the seed. */
export interface ShellCommand {
  readonly run: string
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string>>
  /** Files to write first, over the seed. */
  readonly before?: Readonly<Record<string, string>>
  /** Whole, as if nothing were ever cut. Default empty. */
  readonly stdout?: string
  /** A pattern where the wording is the shell's own. Default empty. */
  readonly stderr?: string | RegExp
  /** Default 0. */
  readonly exitCode?: number
  /** Content of files afterwards; null for what must not be there. */
  readonly files?: Readonly<Record<string, string | null>>
}

/** By title. */
export type ShellCommands = Readonly<Record<string, ShellCommand>>

/** `LC_ALL` for what counts characters: what else the machine has is its own. */
export const UTF8_LOCALE: Readonly<Record<string, string>> = { LC_ALL: 'C.UTF-8' }

/** A script of several lines. */
export const script = (...lines: readonly string[]): string => lines.join('\n')

/** `seq 1 last` */
export const numbersTo = (last: number): string => Array.from({ length: last }, (_, i) => `${i + 1}\n`).join('')

import type { ShellSession } from '../../tools/shell/session.js'
import type { ExaSearch } from '../../tools/web/providers/exa.js'
import type { ToolContext } from '../../types/tool.js'
import type { BackgroundStart } from './background-inputs.js'
import type { LoafApiKey, LoafExaOptions } from './options.js'

// The inputs of the tools, with defaults.

export interface ReadFileInput {
  readonly path: string
  /** Zero-based. */
  readonly offset: number
  /** Maximum number of lines. */
  readonly limit: number
  /** Present in mode `indentation`. */
  readonly block?: {
    /** Number of the line, from 1, as in the output. */
    readonly anchorLine: number
    readonly maxLevels: number
    readonly includeSiblings: boolean
    readonly includeHeader: boolean
    readonly maxLines?: number
  }
}

export interface GrepFilesInput {
  readonly pattern: string
  readonly include: string | readonly string[] | undefined
  readonly path: string
  readonly limit: number
}

export type SearchWebInput = Required<Pick<ExaSearch, 'type'>> & Omit<ExaSearch, 'type'>

/** The search service. If `exa` is undefined, each call reports that search is unavailable. */
export interface SearchWebSettings {
  readonly exa: Pick<LoafExaOptions, 'url' | 'headers' | 'retry'> | undefined
  readonly getApiKey: () => LoafApiKey
}

export interface BashInput {
  readonly command: string
  readonly timeoutMs: number
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
  readonly reset: boolean
  /** Present if the command runs in the background. */
  readonly background: BackgroundStart | undefined
}

/** Finds the session of a call; `reset` starts a new session. */
export type FindSession = (context: ToolContext, reset: boolean) => ShellSession

import type { ShellSession } from '../../tools/shell/session.js'
import type { ExaSearch } from '../../tools/web/providers/exa.js'
import type { ToolContext } from '../../types/tool.js'
import type { BackgroundStart } from './background-inputs.js'
import type { LoafApiKey, LoafExaOptions } from './options.js'

// What the tools are asked, defaults filled in.

export interface ReadFileInput {
  readonly path: string
  /** 0-based. */
  readonly offset: number
  /** Lines at the most. */
  readonly limit: number
  /** There in mode `indentation`. */
  readonly block?: {
    /** 1-based, as every line that is shown. */
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

/** Where it asks. `exa` undefined: nowhere, which is said when it is called. */
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
  /** There when it is to run in the background. */
  readonly background: BackgroundStart | undefined
}

/** The session of a call; `reset` begins a new one. */
export type FindSession = (context: ToolContext, reset: boolean) => ShellSession

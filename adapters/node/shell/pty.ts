import type { Duplex } from 'node:stream'

/** The part of `@lydell/node-pty` that Toolport uses, so that compiling needs no package. */
export interface PtyModuleLike {
  spawn(file: string, args: string[], options: PtyOptionsLike): PtyLike
}

/** The options that Toolport passes to `spawn` of the terminal module. */
export interface PtyOptionsLike {
  readonly name: string
  readonly cols: number
  readonly rows: number
  readonly cwd: string
  readonly env: Record<string, string>
  /** Makes output arrive as bytes. A chunk of bytes may end within a character. */
  readonly encoding: null
}

/** A terminal process of the terminal module. */
export interface PtyLike {
  readonly pid: number
  onData(listener: (data: string | Uint8Array) => void): unknown
  /** The listener runs after the last data. */
  onExit(listener: (exit: { readonly exitCode: number; readonly signal?: number }) => void): unknown
  write(data: string): void
  resize(cols: number, rows: number): void
  /** Events of the terminal's stream. */
  on?(event: 'error' | 'close', listener: () => void): unknown
  /** The stream that reads the terminal. The module does not document it. */
  readonly _socket?: Pick<Duplex, '_destroy'>
  /** The non-blocking file descriptor of the terminal's master side. */
  readonly fd?: number
}

export type PtyOption = boolean | (() => Promise<PtyModuleLike>)

/** Returns undefined if terminals are disabled or the module cannot be loaded. */
export async function loadPty(option: PtyOption): Promise<PtyModuleLike | undefined> {
  if (option === false) return undefined
  try {
    return moduleOf(option === true ? await import('@lydell/node-pty') : await option())
  } catch {
    return undefined
  }
}

/** Returns the module that has `spawn`. Depending on the loader, this is the module itself or its default export. */
function moduleOf(loaded: unknown): PtyModuleLike | undefined {
  const module = loaded as Partial<PtyModuleLike> & { readonly default?: Partial<PtyModuleLike> }
  return [module, module.default].find((one): one is PtyModuleLike => typeof one?.spawn === 'function')
}

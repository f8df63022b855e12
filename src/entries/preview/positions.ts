import type { TraceMap } from '@jridgewell/trace-mapping'
import { lazy } from '../../core/lazy.js'
import type { SourcePosition } from '../../types/preview.js'
import { CLIENT_NAME } from './client-script.js'
import type { RawPlace } from './protocol.js'

const tracing = lazy(() => import('@jridgewell/trace-mapping'))

/** Maps positions in scripts that a page ran to workspace files. */
export interface Positions {
  /** Returns the workspace position of a place in a script; undefined for a place outside the site. */
  locate(place: RawPlace): Promise<SourcePosition | undefined>
  /**
   * Returns a stack with workspace files instead of URLs, without the frames of the client script; and the first position in a workspace
   * file.
   */
  stack(text: string): Promise<{ readonly text: string; readonly position?: SourcePosition }>
  /** Drops the source maps. Call this method after files have changed. */
  clear(): void
}

export interface PositionsOptions {
  /** Returns the URL at which the files of the workspace begin; undefined while an HTTP program is shown. */
  readonly base: () => string | undefined
  /** Returns the virtual path of a file of the site. */
  readonly virtual: (path: string) => string
  /** Reads the text of a file of the site; undefined if the file does not exist. */
  readonly read: (path: string) => Promise<string | undefined>
}

const MOST_FRAMES = 50
/** Stack lines longer than this stay unchanged. */
const LONGEST_LINE = 1000
const PLACE = /((?:https?|data|blob|webpack|file):[^\s()]*?|(?<![\w./@-])[\w./@-]+):(\d+):(\d+)/g
const MAP_COMMENT = /^\/\/[#@] sourceMappingURL=(\S+)\s*$/

/** Creates a lookup that reads each source map once. */
export function createPositions({ base, virtual, read }: PositionsOptions): Positions {
  const maps = new Map<string, Promise<TraceMap | undefined>>()

  function pathOf(url: string): string | undefined {
    const start = base()
    if (start === undefined || !url.startsWith(start) || url.includes(CLIENT_NAME)) return undefined
    try {
      const path = decodeURIComponent(url.slice(start.length).replace(/[?#].*$/s, ''))
      return path === '' || path.endsWith('/') ? `${path}index.html` : path
    } catch {
      return undefined
    }
  }

  async function load(path: string): Promise<TraceMap | undefined> {
    const text = (await read(path)) ?? ''
    const address = MAP_COMMENT.exec(text.slice(Math.max(0, text.lastIndexOf(' sourceMappingURL=') - 3)))?.[1]
    if (address === undefined) return undefined
    const inline = /^data:application\/json[^,]*;base64,(.*)$/.exec(address)?.[1]
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    const map = inline === undefined ? await read(folder + decodeURIComponent(address)) : fromBase64(inline)
    if (map === undefined) return undefined
    const { TraceMap: Trace } = await tracing()
    return new Trace(map)
  }

  async function locate({ url, line, column }: RawPlace): Promise<SourcePosition | undefined> {
    const path = pathOf(url)
    if (path === undefined || !(line > 0)) return undefined
    const generated = { path: virtual(path), line, column: Math.max(1, column) }
    const known = maps.get(path) ?? load(path).catch(() => undefined)
    maps.set(path, known)
    const map = await known
    if (!map) return generated
    const { originalPositionFor } = await tracing()
    const found = originalPositionFor(map, { line, column: generated.column - 1 })
    // Code that the bundler itself has added has no source file.
    return found.source === null || found.source.startsWith('workspace-shared:')
      ? generated
      : { path: found.source, line: found.line, column: found.column + 1 }
  }

  return {
    locate,
    async stack(text) {
      const lines = text.split('\n').filter((line) => !line.includes(CLIENT_NAME))
      let position: SourcePosition | undefined
      const shown: string[] = []
      for (const line of lines.slice(0, MOST_FRAMES)) {
        let done = ''
        let at = 0
        for (const { 0: all, 1: url = '', 2: row, 3: column, index } of line.length > LONGEST_LINE ? [] : line.matchAll(PLACE)) {
          const found = await locate({ url, line: Number(row), column: Number(column) })
          if (!found) continue
          position ??= found
          done += `${line.slice(at, index)}${found.path}:${found.line}:${found.column}`
          at = index + all.length
        }
        shown.push(done + line.slice(at))
      }
      return { text: shown.join('\n'), ...(position && { position }) }
    },
    clear: () => maps.clear(),
  }
}

function fromBase64(text: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)))
}

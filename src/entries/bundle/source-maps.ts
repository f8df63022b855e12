import { lazy } from '../../core/lazy.js'
import { toBase64 } from '../../ops/base64.js'

const tracing = lazy(() => import('@jridgewell/trace-mapping'))

type Trace = InstanceType<Awaited<ReturnType<typeof tracing>>['TraceMap']>

/** Decoded source maps, because a map may be needed for many positions. */
const traces = new WeakMap<Mappings, Trace>()

/** A source map with one source, without the fields that name files. */
export interface Mappings {
  readonly mappings: string
  readonly names: readonly string[]
}

/**
 * Removes source map references from the code. esbuild would read those maps and their sources from the machine's disk, bypassing the rules
 * of the workspace.
 */
export const withoutMap = (code: string): string => code.replace(/([#@]\s*source)MappingURL(?=\s*=)/g, '$1MapOmitted')

/** Appends a source map with one source, in a comment whose syntax is valid in CSS and in JavaScript. */
export function withMap(code: string, { mappings, names }: Mappings, source: string, text: string): string {
  // With `sourcesContent`, esbuild does not read the source from the machine's disk.
  const map = JSON.stringify({ version: 3, sources: [source], sourcesContent: [text], names, mappings })
  return `${withoutMap(code)}\n/*# sourceMappingURL=data:application/json;base64,${toBase64(new TextEncoder().encode(map))} */`
}

/** Joins the source maps of two steps. The input of the second step is the output of the first. */
export async function joinMaps(first: Mappings, second: Mappings): Promise<Mappings> {
  const { TraceMap, decodedMappings, encodedMappings, originalPositionFor } = await tracing()
  const [from, to] = [await traceMap(first), await traceMap(second)]
  const lines = decodedMappings(to).map((segments) =>
    segments.flatMap((segment): [number, number, number, number][] => {
      // The second map comes from an untrusted compiler.
      if (segment.length === 1 || segment[2] < 0 || segment[3] < 0) return []
      const { line, column } = originalPositionFor(from, { line: segment[2] + 1, column: segment[3] })
      return line === null ? [] : [[segment[0], 0, line - 1, column]]
    }),
  )
  return { mappings: encodedMappings(new TraceMap({ version: 3, sources: [''], names: [], mappings: lines })), names: [] }
}

/** Finds the source position of a position in the output. Lines count from 1, columns from 0. */
export async function originalPosition(
  map: Mappings,
  place: { readonly line: number; readonly column: number },
): Promise<{ readonly line: number; readonly column: number } | undefined> {
  const { line, column } = (await tracing()).originalPositionFor(await traceMap(map), place)
  return line === null ? undefined : { line, column }
}

async function traceMap(map: Mappings): Promise<Trace> {
  const { TraceMap } = await tracing()
  const trace = traces.get(map) ?? new TraceMap({ version: 3, sources: [''], names: [...map.names], mappings: map.mappings })
  traces.set(map, trace)
  return trace
}

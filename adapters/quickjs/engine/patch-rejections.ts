import {
  appended,
  fourBytes,
  I32,
  I64,
  number,
  OP,
  OtherBuild,
  REFERENCES,
  readFunctions,
  readTable,
  SECTION,
  signed,
  type WasmModule,
} from '../../shared/wasm-module.js'

/**
 * The published engine does not report unhandled rejections: only C code can set the tracker function. This patch adds a function to the
 * engine's table. The function passes each event to an existing import (`localtime`), whose second argument is an address and never one of
 * these marks.
 */
export const TELLS = { promise: -1, reason: -2, handled: -3 } as const

/** Name of a custom section that holds the table index in four bytes. */
const MARK = 'toolport-rejections'
/** The import's name in the engine's build: `_localtime_js`. */
const IMPORT = 'm'

/** Returns the table index of the added function, or undefined if the engine is not patched. */
export function placeInTable(module: WebAssembly.Module): number | undefined {
  const [mark] = WebAssembly.Module.customSections(module, MARK)
  return mark && new DataView(mark).getUint32(0, true)
}

/** @throws {OtherBuild} before anything is changed */
export function patchRejections({ types, imports, section, sections }: WasmModule): void {
  const teller = imports.findIndex(({ name, type }) => name === IMPORT && types[type] === `${I64},${I32}>`)
  const type = types.indexOf(`${I32},${I64},${I64},${I32},${I32}>`)
  const [functions, table, element, code] = [SECTION.function, SECTION.table, SECTION.element, SECTION.code].map(section)
  const place = table && readTable(table.body)
  if (teller < 0 || type < 0 || !functions || !table || !element || !code || place === undefined) throw new OtherBuild('no such import')

  const index = imports.length + readFunctions(functions.body).length
  functions.body = appended(functions.body, number(type))
  table.body = Uint8Array.of(1, REFERENCES, 0, ...number(place + 1))
  element.body = appended(element.body, [0, OP.constant, ...signed(place), OP.end, 1, ...number(index)])
  code.body = appended(code.body, tellerCode(teller))
  sections.push({ id: SECTION.custom, body: Uint8Array.of(MARK.length, ...new TextEncoder().encode(MARK), ...fourBytes(place)) })
}

/** Code of the tracker `(context, promise, reason, handled, opaque)`, which makes three calls. */
function tellerCode(teller: number): number[] {
  const tell = (local: number[], mark: number): number[] => [
    OP.localGet,
    ...local,
    OP.constant,
    ...signed(mark),
    OP.call,
    ...number(teller),
  ]
  const code = [0, ...tell([1], TELLS.promise), ...tell([2], TELLS.reason), ...tell([3, OP.widen], TELLS.handled), OP.end]
  return [...number(code.length), ...code]
}

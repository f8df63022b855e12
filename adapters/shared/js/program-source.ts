import { InputError } from '../../../src/errors/index.js'
import type { ModuleGraph, ModuleLoader } from '../../../src/packages/modules/index.js'
import type { JsProgram } from '../../../src/types/js.js'

/** Returns what the module loader needs to load a program. @throws {InputError} */
export function sourceOf({ code, entry, filename, format }: JsProgram): Parameters<ModuleLoader['load']>[0] {
  if ((code === undefined) === (entry === undefined)) {
    const message = code === undefined ? 'give the program as "code", or its file as "entry"' : 'give "code" or "entry", not both'
    throw new InputError('invalid_input', `Cannot run the program: ${message}`, { issues: [{ path: 'code', message }] })
  }
  if (entry !== undefined) return { entry }
  return { code: code ?? '', ...(filename !== undefined && { filename }), ...(format && { format }) }
}

const FILE_MODULES: ReadonlySet<string> = new Set(['fs', 'fs/promises'])

/** Returns whether any module of the program imports `fs`. Otherwise, no files need to be copied before the start. */
export function reachesFiles({ modules }: ModuleGraph): boolean {
  for (const { imports, requires } of modules.values()) {
    for (const resolution of [...Object.values(imports), ...Object.values(requires)]) {
      if ('builtin' in resolution && FILE_MODULES.has(resolution.builtin)) return true
    }
  }
  return false
}

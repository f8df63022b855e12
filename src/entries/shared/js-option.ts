import type { PortOption } from '../../runtime/compose-runtime.js'
import type { JsAdapter } from '../../types/js.js'
import { type OwnPortOption, portOf, sharedPort } from './own-port.js'

/** What an entry takes as `js`: its own engine or none, options for its own engine, or another adapter. */
export type JsOption<Options> = OwnPortOption<Options, JsAdapter>

/** `undefined` for none. The runtime and the commands of its shell have the same one. */
export function jsOf<Options extends object>(
  option: JsOption<Options>,
  create: (options?: Options) => PortOption<JsAdapter>,
): PortOption<JsAdapter> | undefined {
  const js = portOf(option, create, 'run')
  return js && sharedPort(js)
}

import type { PortOption } from '../../runtime/compose-runtime.js'
import type { JsAdapter } from '../../types/js.js'
import { type OwnPortOption, portOf, sharedPort } from './own-port.js'

/** The option `js`. `true`: the entry's default engine; `false`: no engine. Or options of the default engine, or another adapter. */
export type JsOption<Options> = OwnPortOption<Options, JsAdapter>

/** Returns the engine that an option selects; undefined for no engine. The runtime and the commands of its shell share the adapter. */
export function jsOf<Options extends object>(
  option: JsOption<Options>,
  create: (options?: Options) => PortOption<JsAdapter>,
): PortOption<JsAdapter> | undefined {
  const js = portOf(option, create, 'run')
  return js && sharedPort(js)
}

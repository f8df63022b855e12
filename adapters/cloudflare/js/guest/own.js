// What this environment itself uses of the language, whatever a program makes of it. Put in the place of the globals when it is bundled.
const language = globalThis
const { parse, stringify } = language.JSON

export const JSON = { parse, stringify }
export const Promise = language.Promise
export const Reflect = language.Reflect
export const Map = language.Map
export const Set = language.Set
export const Uint8Array = language.Uint8Array

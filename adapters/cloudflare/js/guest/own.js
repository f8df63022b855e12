// Globals that this environment uses, saved before a program can change them. The bundler replaces uses of these globals with the saved
// values.
const language = globalThis
const { parse, stringify } = language.JSON

export const JSON = { parse, stringify }
export const Promise = language.Promise
export const Reflect = language.Reflect
export const Map = language.Map
export const Set = language.Set
export const Uint8Array = language.Uint8Array

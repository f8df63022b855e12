import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Base URL of the server of `service()`. */
    services: string
    /** Where every property test starts to draw. */
    propertySeed: number
    isDeep: boolean
  }
}

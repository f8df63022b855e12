import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Base URL of the server of `service()`. */
    services: string
    /** Seed of every property test. */
    propertySeed: number
    isDeep: boolean
  }
}

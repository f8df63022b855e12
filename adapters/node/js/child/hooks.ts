import type { Loaded, Rules } from './rules.js'

export interface Resolved {
  readonly url: string
  readonly format?: string | null | undefined
  readonly shortCircuit?: boolean | undefined
}

interface Context {
  readonly parentURL?: string | undefined
}

/** Hooks for `module.registerHooks`. */
export interface SyncHooks {
  resolve<C extends Context>(specifier: string, context: C, next: (specifier: string, context: C) => Resolved): Resolved
  load<C>(url: string, context: C, next: (url: string, context: C) => Loaded): Loaded
}

/** Hooks for `module.register`. */
export interface AsyncHooks {
  resolve<C extends Context>(specifier: string, context: C, next: (specifier: string, context: C) => Promise<Resolved>): Promise<Resolved>
  load<C>(url: string, context: C, next: (url: string, context: C) => Promise<Loaded>): Promise<Loaded>
}

export function syncHooks(rules: Rules): SyncHooks {
  return {
    resolve(specifier, context, next) {
      const program = rules.program(specifier, context.parentURL)
      if (program !== undefined) return { url: program, shortCircuit: true }
      const led = (found: Resolved): Resolved => ({ ...found, url: rules.redirect(found.url, context.parentURL) })
      try {
        return led(next(specifier, context))
      } catch (error) {
        const other = rules.instead(specifier, error)
        if (other === undefined) throw error
        try {
          return led(next(other, context))
        } catch {
          throw error
        }
      }
    },
    load: (url, context, next) => rules.observe(url, rules.load(url) ?? next(url, context)),
  }
}

export function asyncHooks(rules: Rules): AsyncHooks {
  return {
    async resolve(specifier, context, next) {
      const program = rules.program(specifier, context.parentURL)
      if (program !== undefined) return { url: program, shortCircuit: true }
      const led = (found: Resolved): Resolved => ({ ...found, url: rules.redirect(found.url, context.parentURL) })
      try {
        return led(await next(specifier, context))
      } catch (error) {
        const other = rules.instead(specifier, error)
        if (other === undefined) throw error
        return next(other, context).then(led, () => {
          throw error
        })
      }
    },
    load: async (url, context, next) => rules.observe(url, rules.load(url) ?? (await next(url, context))),
  }
}

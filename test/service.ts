import { inject } from 'vitest'
import type { Services } from './setup/services.js'

/** Data of a server, page or program that all test files of a run share. The service starts when a file first requests it. */
export async function service<Name extends keyof Services>(name: Name): Promise<Services[Name]> {
  const response = await fetch(`${inject('services')}/${name}`)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Services[Name]
}

import { inject } from 'vitest'
import type { BuiltPage } from '../setup/built-page.js'

export type { BuiltPage }

/** The playground as it is deployed, which all tests of a run share. */
export async function builtPage(): Promise<BuiltPage> {
  const response = await fetch(inject('builtPage'))
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as BuiltPage
}

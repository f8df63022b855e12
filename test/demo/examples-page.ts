import type { LoadedPreset } from '../../demo/src/presets/choice.js'
import { presetChoices } from '../../demo/src/presets/choices.js'
import { sampleProgram } from '../../demo/src/sample-program.js'
import type { Session } from '../../demo/src/session.js'
import { type Example, knownFiles } from '../../demo/src/tools/examples/known.js'
import { network, REGISTRY } from '../packages/install-support.js'

export const FILES = { ...sampleProgram, 'src/host.ts': 'export const one = 1\n', 'README.md': '# Read me\nSome words about it.\n' }
export const packages = { registry: REGISTRY, fetch: network().fetch, missing: async () => undefined }

export async function loaded(name: string): Promise<LoadedPreset> {
  const choice = presetChoices.find((one) => one.name === name)
  if (!choice) throw new Error(`There is no preset ${name}`)
  const parts = await choice.load?.()
  return parts ? { choice, parts } : { choice }
}

export function examplesOf({ choice }: LoadedPreset, session: Session, tool: string): readonly Example[] {
  const known = knownFiles(session.files, session.workspace.root, session.runtime.sessions.list())
  return (choice.examples?.(known)[tool] ?? []).filter((example) => example !== undefined)
}

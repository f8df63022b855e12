// @module-tag paths
import { createWorkspace, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, inject, it } from 'vitest'
import {
  attackRuntime,
  attemptBodies,
  attemptTools,
  facadeBodies,
  furnish,
  label,
  otherThan,
  sidewaysCalls,
  toolCalls,
  workspaceBodies,
} from './attack-calls.js'
import { guardFs } from './guard-fs.js'
import { type LinkAttack, linkAttacks } from './link-attacks.js'
import { INSIDE_FILES, pathAttacks } from './path-attacks.js'

const ROOT = '/srv/workspace'

async function arena(): Promise<{ workspace: Workspace; breaches: readonly string[] }> {
  const { fs, breaches } = guardFs(createMemoryFs())
  const workspace = createWorkspace({ fs, root: ROOT })
  await furnish(workspace)
  return { workspace, breaches }
}

const attacks = pathAttacks(ROOT)
const refused = attacks.flatMap(({ input, outcome }) => (typeof outcome === 'string' ? [{ input, outcome }] : []))
const inside = attacks.flatMap(({ input, outcome }) => (typeof outcome === 'string' ? [] : [{ input, path: outcome.inside }]))

describe('path attacks on memory', () => {
  it('are at least 120 different inputs', () => {
    expect(attacks.length).toBeGreaterThanOrEqual(120)
    expect(new Set(attacks.map(({ input }) => input)).size).toBe(attacks.length)
  })

  describe('are rejected with the listed code by every tool and method, and change nothing cap:43 cap:44 cap:103', () => {
    for (const { input, outcome } of refused) {
      it(`${label(input)}: ${outcome}`, async () => {
        const { workspace, breaches } = await arena()
        const attempts = [
          ...(await attemptTools(attackRuntime(workspace), toolCalls(input))),
          ...(await attemptBodies(workspaceBodies(workspace, input))),
        ]
        expect(otherThan(outcome, attempts)).toEqual([])
        expect(await workspace.files()).toEqual(INSIDE_FILES)
        expect(breaches).toEqual([])
      })
    }
  })

  describe('that are valid names or paths inside mean exactly that path', () => {
    for (const { input, path } of inside) {
      it(label(input), async () => {
        const { workspace, breaches } = await arena()
        expect(workspace.resolve(input)).toBe(path === '' ? ROOT : `${ROOT}/${path}`)
        expect(workspace.relative(input)).toBe(path)
        if (path === input) await useName(workspace, path)
        expect(breaches).toEqual([])
      })
    }
  })

  describe('reach the storage only as normalised paths', () => {
    // The default tier tries every third attack; the deep tier tries all.
    for (const { input } of attacks.filter((_, index) => inject('isDeep') || index % 3 === 0)) {
      it(label(input), async () => {
        const { workspace, breaches } = await arena()
        await attemptEverything(workspace, input)
        expect(breaches).toEqual([])
        expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
      })
    }
  })
})

describe('link attacks on memory cap:45 cap:103', () => {
  for (const attack of linkAttacks(ROOT)) {
    it(attack.name, async () => {
      const { workspace, breaches } = await arena()
      await plant(workspace, attack)
      const { input, outcome } = attack
      if (typeof outcome === 'object') {
        expect(await workspace.realpath(input)).toBe(`${ROOT}/${outcome.inside}`)
        expect(await workspace.readText(input)).toMatchObject({ text: INSIDE_FILES[outcome.inside], path: `${ROOT}/${outcome.inside}` })
        return
      }
      await expect(workspace.readText(input)).rejects.toMatchObject({ code: outcome })
      expect(otherThan(outcome, await attemptTools(attackRuntime(workspace), toolCalls(input).slice(0, 7)))).toEqual([])
      expect(breaches).toEqual([])
    })
  }

  describe('a path that leads outside is not written, and existing files stay', () => {
    for (const attack of linkAttacks(ROOT)) {
      const { name, input, outcome } = attack
      if (outcome !== 'symlink_escape' && outcome !== 'ELOOP') continue
      it(name, async () => {
        const { workspace, breaches } = await arena()
        await plant(workspace, attack)
        expect(otherThan(outcome, await attemptTools(attackRuntime(workspace), toolCalls(input).slice(7, 12)))).toEqual([])
        expect(await workspace.files()).toEqual(INSIDE_FILES)
        expect(breaches).toEqual([])
      })
    }
  })

  describe('every call with every link', () => {
    for (const attack of linkAttacks(ROOT)) {
      it(attack.name, async () => {
        const { workspace, breaches } = await arena()
        await plant(workspace, attack)
        await attemptEverything(workspace, attack.input)
        expect(breaches).toEqual([])
      })
    }
  })
})

/** Uses a file with this name: writes, reads, edits, finds, moves and deletes it. */
async function useName(workspace: Workspace, path: string): Promise<void> {
  const runtime = attackRuntime(workspace)
  await runtime.call('write_file', { path, content: 'found me\n' })
  expect(await workspace.files()).toEqual({ ...INSIDE_FILES, ...JSON.parse(`{${JSON.stringify(path)}: "found me\\n"}`) })
  expect(await runtime.call('read_file', { path, numbered: false })).toMatchObject({ text: 'found me' })
  await runtime.call('edit_file', { path, edits: [{ old_string: 'found', new_string: 'kept' }] })
  const found = await runtime.call('grep', { pattern: 'kept me', output: 'files', hidden: true })
  expect(found).toMatchObject({ files: [`${ROOT}/${path}`] })
  await runtime.call('move_file', { from: path, to: 'elsewhere' })
  await runtime.call('move_file', { from: 'elsewhere', to: path })
  await runtime.call('delete_file', { path })
  expect(await workspace.files()).toEqual(INSIDE_FILES)
}

async function attemptEverything(workspace: Workspace, input: string): Promise<void> {
  await attemptTools(attackRuntime(workspace), [...sidewaysCalls(input), ...toolCalls(input)])
  await attemptBodies(workspaceBodies(workspace, input))
  for (const attempt of await attemptBodies(facadeBodies(workspace, input))) {
    // Node's own argument errors have the code in `code` only.
    if ('code' in attempt && !attempt.code.startsWith('ERR_'))
      expect(attempt.message.slice(0, attempt.code.length + 2), attempt.name).toBe(`${attempt.code}: `)
  }
}

async function plant({ fs }: Workspace, { links }: LinkAttack): Promise<void> {
  for (const [path, target] of Object.entries(links)) await fs.symlink?.(target, `/${path}`)
}

// @module-tag paths
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Attempt,
  attackRuntime,
  attemptBodies,
  attemptTools,
  facadeBodies,
  label,
  otherThan,
  sidewaysCalls,
  toolCalls,
  workspaceBodies,
} from './attack-calls.js'
import { linkAttacks } from './link-attacks.js'
import { createNodeArena, type NodeArena } from './node-arena.js'
import { INSIDE_FILES, pathAttacks, SECRET } from './path-attacks.js'

for (const virtual of [false, true]) {
  const arena = createNodeArena(virtual)
  const { workspace, root } = arena
  const untouched = JSON.stringify(arena.outside())

  describe(virtual ? 'attacks on a directory under a name of its own' : 'attacks on a directory under its real name', () => {
    afterAll(() => arena.remove())
    beforeEach(() => arena.reset())

    describe('by paths cap:43 cap:44', () => {
      for (const { input, outcome } of pathAttacks(workspace.root)) {
        it(label(input), async () => {
          const before = arena.inside()
          const plain = [
            ...(await attemptTools(attackRuntime(workspace), toolCalls(input))),
            ...(await attemptBodies(workspaceBodies(workspace, input))),
          ]
          if (typeof outcome === 'string') {
            expect(otherThan(outcome, plain)).toEqual([])
            expect(arena.inside()).toEqual(before)
          }
          checkNothingLeaked(arena, untouched, virtual, [...plain, ...(await attemptRest(arena, input))])
        })
      }
    })

    describe('by links cap:45', () => {
      for (const attack of linkAttacks(workspace.root)) {
        const { name, input, outcome } = attack
        it(name, async () => {
          arena.plant(attack.links)
          const before = arena.inside()
          const calls = toolCalls(input)
          const reads = await attemptTools(attackRuntime(workspace), calls.slice(0, 7))
          if (typeof outcome === 'string') expect(otherThan(outcome, reads)).toEqual([])
          else expect(await workspace.readText(input)).toMatchObject({ text: INSIDE_FILES[outcome.inside] })
          expect(arena.inside()).toEqual(before)
          const writes = await attemptTools(attackRuntime(workspace), calls.slice(7, 12))
          if (outcome === 'symlink_escape' || outcome === 'ELOOP') {
            expect(otherThan(outcome, writes)).toEqual([])
            expect(arena.inside()).toEqual(before)
          }
          const rest: Attempt[] = []
          for (const bodies of [workspaceBodies(workspace, input), facadeBodies(workspace, input)]) {
            arena.reset()
            arena.plant(attack.links)
            rest.push(...(await attemptBodies(bodies)))
          }
          arena.reset()
          arena.plant(attack.links)
          rest.push(...(await attemptTools(attackRuntime(workspace), calls.slice(12))), ...(await attemptRest(arena, input)))
          checkNothingLeaked(arena, untouched, virtual, [...reads, ...writes, ...rest])
        })
      }

      it('a search skips links that lead outside', async () => {
        arena.plant({ 'out.txt': '../secret.txt', out: '../outside', 'src/out': '../..', abs: `${arena.outer}/secret.txt` })
        const runtime = attackRuntime(workspace)
        expect(await runtime.call('grep', { pattern: SECRET, hidden: true, ignore: false })).toMatchObject({ matches: [] })
        expect(await runtime.call('glob', { pattern: '**/*secret*', hidden: true, kind: 'any' })).toMatchObject({ paths: [] })
        expect(await runtime.call('glob', { pattern: 'out/**', kind: 'any' })).toMatchObject({ paths: [] })
        expect(await workspace.files()).toEqual(INSIDE_FILES)
        await runtime.call('delete_file', { path: 'src', recursive: true })
        await runtime.call('delete_file', { path: 'out' })
        await runtime.call('move_file', { from: 'abs', to: 'moved' })
        expect(JSON.stringify(arena.outside())).toBe(untouched)
      })

      it('a link that is replaced between two calls is resolved again', async () => {
        const runtime = attackRuntime(workspace)
        arena.plant({ link: 'notes.txt' })
        expect(await runtime.call('read_file', { path: 'link', numbered: false })).toMatchObject({ text: 'notes' })
        await workspace.remove('link')
        arena.plant({ link: '../secret.txt' })
        for (const call of toolCalls('link').slice(0, 12)) {
          expect((await runtime.execute(call)).output, call.name).toMatchObject({ code: 'symlink_escape' })
        }
        await workspace.remove('link')
        arena.plant({ link: 'src/a.ts' })
        expect(await runtime.call('read_file', { path: 'link', numbered: false })).toMatchObject({ path: `${workspace.root}/src/a.ts` })
        expect(JSON.stringify(arena.outside())).toBe(untouched)
      })

      it('a directory that is replaced by an outside link between two calls is not entered', async () => {
        const runtime = attackRuntime(workspace)
        await runtime.call('read_file', { path: 'src/a.ts' })
        await workspace.move('src', 'kept')
        arena.plant({ src: '../outside' })
        for (const call of toolCalls('src/notes.txt')) {
          expect((await runtime.execute(call)).output, call.name).toMatchObject({ code: 'symlink_escape' })
        }
        expect(JSON.stringify(arena.outside())).toBe(untouched)
      })

      it('a link with a host path has the same target as in a shell', async () => {
        arena.plant({ link: `${root}/src`, top: root })
        expect(await workspace.readText('link/a.ts')).toMatchObject({ path: `${workspace.root}/src/a.ts` })
        expect(await workspace.realpath('top/link/deep')).toBe(`${workspace.root}/src/deep`)
      })
    })
  })
}

async function attemptRest({ workspace }: NodeArena, input: string): Promise<Attempt[]> {
  return [...(await attemptTools(attackRuntime(workspace), sidewaysCalls(input))), ...(await attemptBodies(facadeBodies(workspace, input)))]
}

/** Checks that files outside the root are unchanged and unread. With a virtual root, also checks that no answer contains a real path. */
function checkNothingLeaked(arena: NodeArena, untouched: string, virtual: boolean, attempts: readonly Attempt[]): void {
  expect(JSON.stringify(arena.outside())).toBe(untouched)
  for (const attempt of attempts) {
    const said = 'code' in attempt ? attempt.message : attempt.gave
    // An answer may quote the search pattern. The files outside contain more words.
    expect(
      /TOP-SECRET-2f9c (beside|prefix|dotted|deep|same)|root:x:0|VE9QLVNFQ1JFVC0/.test(said),
      `${attempt.name}: ${said.slice(0, 300)}`,
    ).toBe(false)
    if (virtual) expect(said.includes(arena.outer), `${attempt.name}: ${said.slice(0, 300)}`).toBe(false)
  }
}

// @module-tag durable-object
import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createDurableObjectFs } from 'toolport/adapters/cloudflare'
import { describe, expect, it } from 'vitest'

/** A new stub each time, because a stub to an aborted object stays broken. */
const stubOf = (object: string) => env.AGENT.getByName(object)

async function call(object: string, name: string, input: unknown): Promise<unknown> {
  const response = await stubOf(object).fetch('http://agent/', { method: 'POST', body: JSON.stringify({ name, input }) })
  return response.json()
}

/** Number that differs for each construction of the object. */
let constructed = 0
const tagged = new WeakMap<object, number>()
const instanceOf = (object: string): Promise<number> =>
  runInDurableObject(stubOf(object), (instance) => {
    const tag = tagged.get(instance) ?? ++constructed
    tagged.set(instance, tag)
    return tag
  })

/** Both ways in which an object ends: evicted while idle, and aborted as in a crash. */
const RESTARTS: Readonly<Record<string, (object: string) => Promise<void>>> = {
  evicted: (object) => evictDurableObject(stubOf(object)),
  aborted: () => abortAllDurableObjects(),
}

describe.each(Object.entries(RESTARTS))('an object that was %s between calls', (how, restart) => {
  it('shows the same workspace after the restart', async () => {
    const object = `restart-${how}`
    const before = await instanceOf(object)
    expect(await call(object, 'write_file', { path: 'src/a.txt', content: 'one\n' })).toMatchObject({ ok: true })
    expect(await call(object, 'bash', { command: 'mkdir -p d/e && echo two > d/e/b.txt && ln -s e d/link && rm first.txt' })).toMatchObject(
      {
        ok: true,
        output: { exit_code: 0 },
      },
    )
    const listed = await call(object, 'list_files', { path: '.' })
    await restart(object)
    expect(await instanceOf(object)).not.toBe(before)
    expect(await call(object, 'list_files', { path: '.' })).toEqual(listed)
    expect(await call(object, 'bash', { command: 'cat src/a.txt d/link/b.txt; ls' })).toMatchObject({
      output: { stdout: 'one\ntwo\nd\nsrc\n' },
    })
    expect(await call(object, 'edit_file', { path: 'src/a.txt', edits: [{ old_string: 'one', new_string: 'three' }] })).toMatchObject({
      ok: true,
    })
    await restart(object)
    expect(await call(object, 'bash', { command: 'cat src/a.txt' })).toMatchObject({ output: { stdout: 'three\n' } })
  })

  it('returns the same stats after a restart and never repeats a version', async () => {
    const object = `versions-${how}`
    const versions: (string | undefined)[] = []
    const stats: unknown[] = []
    for (let round = 0; round < 3; round++) {
      await runInDurableObject(stubOf(object), async (_, { storage }) => {
        const fs = createDurableObjectFs({ storage, prefix: 'versions', now: () => 1000 + round })
        if (round > 0) expect(await fs.lstat('/a')).toEqual(stats.at(-1))
        for (let i = 0; i < 5; i++) {
          if (round > 0 || i > 0) await fs.unlink('/a')
          await fs.write('/a', Uint8Array.of(1))
          versions.push((await fs.lstat('/a')).version)
        }
        stats.push(await fs.lstat('/a'))
      })
      await restart(object)
    }
    expect(new Set(versions).size).toBe(15)
  })
})

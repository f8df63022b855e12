// @module-tag background
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { Session, SessionReadOptions } from 'toolport'
import { createTestHost } from 'toolport/testing'
import { expect, it } from 'vitest'
import { createSessions } from '../../src/sessions/index.js'
import fc from '../fast-check.js'
import { hand } from '../unit/sessions-support.js'
import { DELAY_MS, found, tableOver } from './durable-sessions-support.workerd.js'

declare module 'vitest' {
  interface ProvidedContext {
    propertySeed: number
  }
}

/** Sizes around the size of a row, of everything that is kept, and of a surrogate pair. */
const size = fc.oneof(
  fc.integer({ min: 0, max: 40 }),
  fc.integer({ min: 16_380, max: 16_390 }),
  fc.integer({ min: 0, max: 50_000 }),
  fc.constantFrom(299_999, 300_000, 300_001, 320_000),
)
const stream = fc.constantFrom('stdout', 'stderr')

type Step =
  | { readonly kind: 'print'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly kind: 'read'; readonly options: SessionReadOptions }
  | { readonly kind: 'record' | 'restart' | 'exit' }

const print: fc.Arbitrary<Step> = fc
  .record({ stream, length: size, unit: fc.constantFrom('x', 'ab', '😀', 'ü', '\ud83d', '\ude00') })
  .map(({ stream, length, unit }) => ({
    kind: 'print',
    stream,
    text: unit.repeat(length / unit.length),
  }))
const read: fc.Arbitrary<Step> = fc
  .record(
    {
      stream: fc.constantFrom('stdout', 'stderr', 'both'),
      maxChars: size,
      peek: fc.boolean(),
      from: fc.record({ stdout: size, stderr: size }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  )
  .map((options) => ({ kind: 'read', options }) as Step)
const other: fc.Arbitrary<Step> = fc.constantFrom<Step>({ kind: 'record' }, { kind: 'restart' }, { kind: 'exit' })
const step = fc.oneof({ weight: 4, arbitrary: print }, { weight: 4, arbitrary: read }, { weight: 1, arbitrary: other })

/** As JSON, which escapes lone surrogates, because the test reporter cannot print them. */
const shown = (value: unknown): string => JSON.stringify(value)

it('random reads match an in-memory session before and after the session ends and in the next object', {
  timeout: 300_000,
}, async () => {
  await runInDurableObject(env.AGENT.getByName('random-sessions'), async (_, { storage }) => {
    let runs = 0
    const agrees = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25, size: 'max' }), async (steps) => {
      const prefix = `run_${runs++}`
      const host = createTestHost()
      const [kept, plain] = [hand(), hand()]
      const memory = await createSessions(host).start(plain.start())
      let table = tableOver(storage, { host, prefix })
      let session: Session = await table.sessions.start(kept.start())
      const { id } = session
      let isLost = false
      for (const each of steps) {
        if (each.kind === 'print') {
          // Output after the end of the session is dropped.
          if (isLost) continue
          for (const process of [kept, plain]) process.print(each.text, each.stream)
        } else if (each.kind === 'read') {
          expect(shown(session.read(each.options)), JSON.stringify(each)).toBe(shown(memory.read(each.options)))
        } else if (each.kind === 'exit') {
          for (const process of [kept, plain]) process.exit({ exitCode: 0 })
          await memory.exited
          if (!isLost) await session.exited
          isLost = true
        } else {
          await host.advance(DELAY_MS)
          if (each.kind === 'record') continue
          table = tableOver(storage, { host, prefix })
          session = found(table.sessions, id)
          isLost = true
        }
        expect(session.info.unread).toEqual(memory.info.unread)
      }
      for (const stream of ['stdout', 'stderr'] as const) {
        const options = { stream, from: { [stream]: 0 }, maxChars: Infinity }
        expect(shown(session.read(options))).toBe(shown(memory.read(options)))
      }
      for (const name of ['sessions', 'session_output', 'session_schema']) storage.sql.exec(`DROP TABLE ${prefix}_${name}`)
    })
    await fc.assert(agrees, { numRuns: 150 })
  })
})

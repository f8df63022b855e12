// @module-tag read-file
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, createWorkspace, type FsAdapter, fileTools, searchTools } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeFs } from 'toolport/adapters/node'
import { afterAll, describe, expect, it } from 'vitest'
import { type Bench, benchOver } from './harness.js'

const roots: string[] = []

afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true })
})

function freshRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'toolport-large-'))
  roots.push(root)
  return root
}

const over = (fs: FsAdapter): Bench =>
  benchOver(createRuntime({ workspace: createWorkspace({ fs, root: '/workspace' }), tools: [...fileTools(), ...searchTools()] }))

const storages: [name: string, open: (files: Record<string, Uint8Array>) => Bench][] = [
  ['memory', (files) => over(createMemoryFs({ files }))],
  [
    'a directory',
    (files) => {
      const root = freshRoot()
      for (const [name, bytes] of Object.entries(files)) writeFileSync(join(root, name), bytes)
      return over(createNodeFs({ root }))
    },
  ],
]

describe.each(storages)('in %s', (_, open) => {
  it('read_file says how much of a 21 MiB line is left out', async () => {
    const line = new Uint8Array(21 * 2 ** 20).fill(0x61)
    line.set(new TextEncoder().encode('😀é'), 20 * 2 ** 20)
    const { ok } = open({ one: line, crlf: Buffer.concat([line, Buffer.from('\r\nnext\n')]) })
    // Four bytes are two characters, and two bytes are one, so the line has three characters fewer than bytes.
    const left = line.length - 3 - 2000
    for (const path of ['one', 'crlf']) {
      expect((await ok('read_file', { path, limit: 1, numbered: false })).text.slice(2000)).toBe(
        `... [line cut: ${left} more characters, continue with byte_offset]`,
      )
    }
  })

  it('read_file knows that a line above 64 MiB is the last one', async () => {
    const line = Buffer.alloc(65 * 2 ** 20, 'x')
    line.write('\n', line.length - 1)
    const { ok } = open({ ended: line, more: Buffer.concat([line, Buffer.from('y')]) })
    expect(await ok('read_file', { path: 'ended', max_bytes: 10 })).toMatchObject({ total_lines: 1, truncated: false })
    expect(await ok('read_file', { path: 'more', max_bytes: 10 })).toMatchObject({ truncated: true, next: { offset: 2 } })
  })

  it('a log of 60 MB can be read, searched and appended to', async () => {
    const line = 'a line of a log that goes on and on and on and on and on and\n'
    const log = Buffer.alloc(60_000_000, line)
    const { ok } = open({ log: Buffer.concat([log.subarray(0, log.lastIndexOf('\n') + 1), Buffer.from('at last\n')]) })
    const lines = Math.floor(60_000_000 / line.length) + 1
    expect((await ok('grep', { pattern: 'at (last|first)', path: 'log' })).matches).toEqual([
      { path: '/workspace/log', line: lines, column: 1, text: 'at last' },
    ])
    await ok('write_file', { path: 'log', mode: 'append', content: 'more\n' })
    expect(await ok('read_file', { path: 'log', offset: lines, numbered: false })).toMatchObject({
      text: 'at last\nmore',
      total_lines: lines + 1,
    })
    expect(await ok('read_file', { path: 'log', offset: -2, limit: 1, numbered: false })).toMatchObject({
      text: 'at last',
      start_line: lines,
      total_lines: lines + 1,
      next: { offset: lines + 1 },
    })
  })

  it('read_file reads lines of a file above 64 MiB from both ends without counting those in between', async () => {
    const line = (i: number): string => `${String(i).padStart(7, '0')} ${'é'.repeat(28)}\n`
    const count = 1_100_000
    const log = Buffer.alloc(count * 65)
    const pattern = Buffer.from(line(0))
    for (let i = 0; i < count; i++) {
      pattern.copy(log, i * 65)
      log.write(String(i + 1).padStart(7, '0'), i * 65, 'latin1')
    }
    const { ok, read, fail } = open({ log })
    const of = `of a file of ${log.length} bytes`
    const plain = (first: number, last: number): string => {
      const numbers = Array.from({ length: last - first + 1 }, (_, i) => first + i)
      return numbers.map(line).join('').slice(0, -1)
    }
    const head = await ok('read_file', { path: 'log', limit: 3, numbered: false })
    expect(head).toMatchObject({ text: plain(1, 3), start_line: 1, end_line: 3, truncated: true, next: { offset: 4 } })
    expect(head).not.toHaveProperty('total_lines')
    expect(await read('read_file', { path: 'log', limit: 1 })).toContain(`[Lines 1 to 1 ${of}; continue with offset 2]`)
    // The read reaches the end, so all lines are counted.
    expect(await ok('read_file', { path: 'log', offset: count, numbered: false })).toMatchObject({
      text: plain(count, count),
      total_lines: count,
      truncated: false,
    })
    expect((await fail('read_file', { path: 'log', offset: count + 1 })).output).toMatchObject({ total_lines: count })
    const tail = await ok('read_file', { path: 'log', offset: -3, numbered: false })
    expect(tail).toMatchObject({ text: plain(count - 2, count), start_line: -3, end_line: -1, truncated: false })
    expect(tail).not.toHaveProperty('total_lines')
    expect(await ok('read_file', { path: 'log', offset: -40_000, limit: 2, numbered: false })).toMatchObject({
      text: plain(count - 39_999, count - 39_998),
      start_line: -40_000,
      end_line: -39_999,
      next: { offset: -39_998 },
    })
    expect(await read('read_file', { path: 'log', offset: -2, limit: 1 })).toContain(`\n[Lines -2 to -2 ${of}; continue with offset -1]`)
    // Reads more lines than there are, so line numbers start at the beginning.
    expect(await ok('read_file', { path: 'log', offset: -count - 1, limit: 1, numbered: false })).toMatchObject({
      text: plain(1, 1),
      start_line: 1,
    })
  })
})

it.skipIf(process.platform !== 'linux')('read_file reads a file that reports no size to its end', async () => {
  const fs = createNodeFs({ root: `/proc/${process.pid}` })
  const status = new TextDecoder().decode(await fs.read('/status'))
  expect(status).toMatch(/^Name:.*\n[\s\S]*\nPid:\t\d+\n/)
  expect(new TextDecoder().decode(await fs.read('/status', { offset: 2, length: 3 }))).toBe('me:')
  const { ok } = over(fs)
  expect((await ok('grep', { pattern: '^Pid:', path: 'status' })).matches).toHaveLength(1)
  expect((await ok('read_file', { path: 'status', numbered: false })).text).toContain(`Pid:\t${process.pid}`)
  await fs.close()
})

it('a file that grows during a read is read to its end', async () => {
  const root = freshRoot()
  const file = join(root, 'log')
  writeFileSync(file, 'x'.repeat(40 * 2 ** 20))
  const fs = createNodeFs({ root })
  const reading = fs.read('/log')
  // The file is read in steps, the first of which has not finished when the file is written.
  let isRead = false
  const done = reading.then((bytes) => {
    isRead = true
    return bytes.length
  })
  while (!isRead) {
    appendFileSync(file, 'y')
    await new Promise((resolve) => setImmediate(resolve))
  }
  const length = await done
  expect(length).toBeGreaterThan(40 * 2 ** 20)
  expect(length).toBeLessThanOrEqual(readFileSync(file).length)
})

// @module-tag drop-ins
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { betaMemoryTool, type MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory'
import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node'
import { anthropicMemory } from 'toolport/formats'
import { afterEach, describe, expect, it } from 'vitest'
import { runtimeOver } from './support.js'

// The one peer that needs Node, because it stores the memory on disk.

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

describe('Anthropic: betaMemoryTool', () => {
  it("anthropicMemory gives the results of the SDK's own file memory", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'toolport-memory-'))
    folders.push(folder)
    const theirs: MemoryToolHandlers = await BetaLocalFilesystemMemoryTool.init(folder)
    const ours: MemoryToolHandlers = anthropicMemory(runtimeOver())
    const answers = async (input: Parameters<ReturnType<typeof betaMemoryTool>['run']>[0]): Promise<readonly unknown[]> => {
      const said: unknown[] = []
      for (const handlers of [theirs, ours]) {
        try {
          said.push(await betaMemoryTool(handlers).run(input))
        } catch (error) {
          said.push(`Error: ${(error as Error).message}`)
        }
      }
      return said
    }
    const path = '/memories/n/a.md'
    for (const input of [
      { command: 'create', path, file_text: 'one\ntwo\nthree\ntwo' },
      { command: 'view', path },
      { command: 'view', path, view_range: [2, 3] },
      { command: 'view', path, view_range: [2, -1] },
      { command: 'str_replace', path, old_str: 'two', new_str: '2' },
      { command: 'str_replace', path, old_str: 'one', new_str: '1' },
      { command: 'insert', path, insert_line: 2, insert_text: 'inserted\n' },
      { command: 'view', path },
      { command: 'insert', path, insert_line: 99, insert_text: 'x' },
      { command: 'rename', old_path: path, new_path: '/memories/b.md' },
      { command: 'view', path: '/memories/b.md' },
      { command: 'create', path: '/memories/c.md', file_text: 'c' },
      { command: 'rename', old_path: '/memories/c.md', new_path: '/memories/b.md' },
      { command: 'view', path: '/memories/none' },
      { command: 'str_replace', path: '/memories/none', old_str: 'a', new_str: 'b' },
      { command: 'insert', path: '/memories/none', insert_line: 0, insert_text: 'b' },
      { command: 'delete', path: '/memories' },
      { command: 'rename', old_path: '/memories', new_path: '/memories/x' },
      { command: 'view', path: '/elsewhere' },
      { command: 'delete', path: '/memories/../x' },
      { command: 'delete', path: '/memories/b.md' },
      { command: 'delete', path: '/memories/n' },
    ] as const) {
      const [their, our] = await answers(input as Parameters<typeof answers>[0])
      // After an edit, Toolport shows three lines around it, and the peer shows two.
      if (input.command === 'str_replace' && input.old_str === 'one') expect(our).toBe(`${their}\n     4\ttwo`)
      else expect(our, JSON.stringify(input)).toBe(their)
    }
    // Toolport's answer may be longer.
    await answers({ command: 'create', path, file_text: 'one' })
    for (const input of [
      { command: 'create', path, file_text: 'two' },
      { command: 'str_replace', path, old_str: 'none', new_str: '' },
    ] as const) {
      const [their, our] = await answers(input)
      expect(String(our).startsWith(String(their)), `${our}`).toBe(true)
      expect(our).not.toBe(their)
    }
  })
})

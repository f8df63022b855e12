// @module-tag drop-ins
import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ToolRuntime } from 'toolport'
import { aiSdkSandbox, openAiEditor, openAiShell } from 'toolport/formats'
import { createNodeRuntime } from 'toolport/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rejection } from './support.js'

let root = ''
let runtime: ToolRuntime

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'toolport-sandbox-')))
  runtime = createNodeRuntime({ root, shell: true })
})

afterAll(async () => {
  await runtime.dispose()
  await rm(root, { recursive: true })
})

describe('aiSdkSandbox over a real shell', () => {
  it('passes megabytes through a process', async () => {
    const child = await aiSdkSandbox(runtime).spawn({ command: 'cat', stdin: true })
    const line = `${'0123456789'.repeat(10)}\n`
    const sent = line.repeat(30_000)
    const writer = child.stdin.getWriter()
    const received = new Response(child.stdout).text()
    await writer.write(new TextEncoder().encode(sent))
    await writer.close()
    expect((await received) === sent).toBe(true)
    expect(await child.wait()).toEqual({ exitCode: 0 })
    expect(child.pid).toBeGreaterThan(0)
  })

  it('waits for a program that reads late', async () => {
    const child = await aiSdkSandbox(runtime).spawn({ command: 'read first; echo ready; wc -c', stdin: true })
    const writer = child.stdin.getWriter()
    await writer.write(new TextEncoder().encode('go\n'))
    await writer.write(new Uint8Array(3_000_000).fill(120))
    await writer.close()
    expect((await new Response(child.stdout).text()).replaceAll(' ', '')).toBe('ready\n3000000\n')
  })

  it('fails reading too much output instead of dropping a part', async () => {
    const child = await aiSdkSandbox(runtime).spawn({ command: "head -c 20000000 /dev/zero | tr '\\0' x" })
    expect(await child.wait()).toEqual({ exitCode: 0 })
    expect((await rejection(new Response(child.stdout).text())).message).toContain('bytes waited unread')
  })

  it('kills a program that ignores signals, also on abort', async () => {
    const sandbox = aiSdkSandbox(runtime)
    const command = "trap '' TERM; echo up; while :; do sleep 1; done"
    const child = await sandbox.spawn({ command })
    await child.stdout.getReader().read()
    await child.kill()
    expect(await child.wait()).toEqual({ exitCode: 137 })
    const controller = new AbortController()
    const other = await sandbox.spawn({ command, abortSignal: controller.signal })
    await other.stdout.getReader().read()
    controller.abort(new Error('enough'))
    expect((await rejection(other.wait())).message).toBe('enough')
  })

  it('shows no host directory', async () => {
    const hidden = createNodeRuntime({ root, virtualRoot: '/workspace' })
    await symlink('/etc', join(root, 'etc'))
    const editor = openAiEditor(hidden)
    const answers = [
      await editor.updateFile({ type: 'update_file', path: 'none.txt', diff: '-a\n+b\n' }),
      await editor.updateFile({ type: 'update_file', path: 'etc/hostname', diff: '-a\n+b\n' }),
      await editor.createFile({ type: 'create_file', path: 'etc/new', diff: '+x\n' }),
      await editor.deleteFile({ type: 'delete_file', path: root }),
    ]
    for (const { status, output } of answers.slice(0, 3)) {
      expect(status).toBe('failed')
      expect(output).not.toContain(root)
    }
    expect(answers[3]?.status).toBe('failed')
    await hidden.dispose()
    expect(() => openAiShell(hidden)).toThrow('has no tool "bash"')
  })
})

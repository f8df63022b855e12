import type { JsAdapter, Workspace } from 'toolport'
import { expect } from 'vitest'

const CODE = `
  import fs from "node:fs"
  fs.writeFileSync("a.txt", "mine"); fs.writeFileSync("b.txt", "b")
  console.log("written"); await new Promise((done) => process.stdin.once("data", done))`

/**
 * Runs a program that writes `a.txt` and `b.txt`. The workspace changes `a.txt` before the program ends, so the program must not overwrite
 * it.
 */
export async function expectNothingOverwritten(js: JsAdapter, workspace: Workspace): Promise<void> {
  await workspace.writeText('a.txt', 'a')
  let written: () => void = () => undefined
  const wrote = new Promise<void>((resolve) => {
    written = resolve
  })
  let stderr = ''
  const process = await js.spawn?.({
    code: CODE,
    onOutput({ stream, text }) {
      if (stream === 'stdout') written()
      else stderr += text
    },
  })
  await wrote
  await workspace.writeText('a.txt', 'theirs')
  await process?.write('go')
  await process?.closeInput?.()
  expect(await process?.exited).toEqual({ exitCode: 1 })
  expect(stderr).toMatch(/^ESTALE: /)
  expect((await workspace.list(workspace.root)).map(({ name }) => name)).toEqual(['a.txt', 'b.txt'])
  expect((await workspace.readText('a.txt')).text).toBe('theirs')
  expect((await workspace.readText('b.txt')).text).toBe('b')
}

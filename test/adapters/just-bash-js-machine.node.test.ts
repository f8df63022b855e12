// @module-tag virtual-shell
import type { ShellAdapter } from 'toolport'
import { createJustBashShell, jsCommands } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { cleanUp, freshRoot, jsOf, put, workspaceOf } from './node-js-fixture.js'

beforeEach(freshRoot)
afterEach(cleanUp)

/** A shell whose `node` and `js` run this machine's Node in a real directory. */
function shellHere(): ShellAdapter {
  const workspace = workspaceOf()
  return createJustBashShell({ scratch: createMemoryFs(), commands: jsCommands(jsOf(undefined, workspace)) })(workspace)
}

it('node in a shell over createNodeJs runs files, code and pipes', async () => {
  put({ 'use.js': 'console.log(require("./lib").name, process.argv.slice(2))', 'lib.js': 'module.exports = { name: "lib" }' })
  const { stdout, stderr } = await shellHere().exec(
    'node use.js a; echo in | node -p \'fs.readFileSync(0, "utf8").trim()\'; node -e \'console.log(process.argv.slice(1))\' x; js -e "export default { a: 1 }"; node no.js; echo $?',
  )
  expect(stdout).toBe("lib [ 'a' ]\nin\n[ 'x' ]\n{\"a\":1}\n1\n")
  expect(stderr).toMatch(/^Error: Cannot find module '.*\/no\.js'\n$/)
})

it('node in a shell over createNodeJs ends on a signal and at the timeout of the call', async () => {
  const shell = shellHere()
  const handler = 'process.on("SIGTERM", () => { console.log("told"); process.exit(0) }); console.log(1); setInterval(() => {}, 1000)'
  const { stdout } = await shell.exec(
    `node -e '${handler}' > o & until grep -q 1 o 2>/dev/null; do sleep 0.02; done; kill $!; wait $!; echo $?; cat o`,
  )
  expect(stdout).toBe('143\n1\ntold\n')
  const late = await shell.exec("node -e 'for (;;);'", { timeoutMs: 1000 })
  expect(late.timedOut).toBe(true)
})

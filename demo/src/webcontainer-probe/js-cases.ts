import { createWorkspace, type JsAdapter, type JsResult, type JsRunOptions, type Workspace } from 'toolport'
import { createWebContainerFs, createWebContainerJs } from 'toolport/adapters/webcontainer'
import { expectSame } from './expect.js'
import type { ProbedContainer } from './probed-container.js'
import { listenTo, type Session, WAIT_MS } from './session.js'

interface JsCase {
  readonly title: string
  readonly run: () => Promise<void>
}

interface Stage {
  readonly js: JsAdapter
  readonly workspace: Workspace
  readonly container: ProbedContainer
  run(program: JsRunOptions): Promise<JsResult>
}

/** What the JavaScript adapter relies on: `node` in the container behaves like Node. */
const BODIES: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  'a program prints, ends with its code, and gives its default export': async ({ run }) => {
    const { stdout, stderr, exitCode, result } = await run({
      code: 'console.log("out"); console.error("err"); process.exitCode = 3; export default { a: [1] }',
    })
    expectSame([stdout, stderr, exitCode, result], ['out\n', 'err\n', 3, { a: [1] }])
  },
  'every byte of the output is kept: line ends, escape sequences, characters': async ({ run }) => {
    const text = 'a\r\nb\n\u001b[31mred\u001b[0m\t grün 🙂\r'
    expectSame((await run({ code: `process.stdout.write(${JSON.stringify(text)})` })).stdout, text)
  },
  '5 MB of output are whole, and before process.exit': async ({ run }) => {
    const { stdout } = await run({ code: "process.stdout.write('0123456\\n'.repeat(655360)); process.exit()", maxBytes: 2 ** 24 })
    expectSame([stdout.length, stdout.endsWith('0123456\n')], [5_242_880, true])
  },
  'what is written to the descriptors is told': async ({ run }) => {
    const { stdout, stderr } = await run({
      code: "import fs from 'node:fs'; fs.writeSync(1, 'one'); fs.writeFileSync('/dev/stderr', 'two')",
    })
    expectSame([stdout, stderr], ['one', 'two'])
  },
  'an error that nobody catches is told with its place, and ends with 1': async ({ run }) => {
    const { stdout, stderr, exitCode } = await run({ code: "console.log('before')\nthrow new TypeError('bad')", filename: 'dir/it.mjs' })
    expectSame([stdout, exitCode, stderr.includes('TypeError: bad'), stderr.includes('.toolport')], ['before\n', 1, true, false])
    if (!/\/dir\/it\.mjs:2/.test(stderr)) throw new Error(`Expected the place /dir/it.mjs:2, got ${stderr}`)
  },
  'an await that never settles ends with 13': async ({ run }) => {
    expectSame((await run({ code: 'await new Promise(() => {})' })).exitCode, 13)
  },
  'the input is read in every way': async ({ run }) => {
    const stdin = 'grün\n🙂'
    for (const code of [
      "let t = ''; for await (const c of process.stdin.setEncoding('utf8')) t += c; export default t",
      "import fs from 'node:fs'; export default fs.readFileSync(0, 'utf8')",
      "import { readFile } from 'node:fs'; import { promisify } from 'node:util'; export default await promisify(readFile)('/dev/stdin', 'utf8')",
    ]) {
      expectSame([code, (await run({ code, stdin })).result], [code, stdin])
    }
  },
  'arguments, variables and the directory can be given': async ({ run, workspace }) => {
    await workspace.mkdir('sub')
    const { result } = await run({
      code: 'export default [process.argv.slice(2), process.env.PROBE, process.cwd()]',
      args: ['a b', '', '--c="d"'],
      env: { PROBE: 'two words' },
      cwd: 'sub',
    })
    expectSame(result, [['a b', '', '--c="d"'], 'two words', workspace.resolve('sub')])
  },
  'code imports files and packages from the place that it counts as': async ({ run, workspace }) => {
    await workspace.writeText('lib/n.mjs', 'export const n = 1; export default import.meta.url')
    await workspace.writeText('node_modules/pkg/package.json', '{"name":"pkg","exports":{"import":"./esm.mjs","require":"./cjs.cjs"}}')
    await workspace.writeText('node_modules/pkg/esm.mjs', "export default 'esm'")
    await workspace.writeText('node_modules/pkg/cjs.cjs', "module.exports = 'cjs'")
    const { result, stderr } = await run({
      filename: 'lib/it.mjs',
      code: "import { n } from './n.mjs'; import pkg from 'pkg'; const late = await import('./' + 'n.mjs'); export default [n, pkg, late.n, import.meta.filename]",
    })
    expectSame([stderr, result], ['', [1, 'esm', 1, workspace.resolve('lib/it.mjs')]])
  },
  'code in CommonJS has its names, and requires': async ({ run, workspace }) => {
    await workspace.writeText('n.js', 'exports.n = 1')
    await workspace.writeText('n.cjs', 'exports.n = 1')
    const { result, stderr } = await run({
      code: "module.exports = [require('./n').n, require('./n.cjs').n, __filename, require.main === module]",
      format: 'commonjs',
    })
    expectSame([stderr, result], ['', [1, 1, workspace.resolve('[eval].cjs'), true]])
  },
  'a file runs as an ES module or as CommonJS, by its name and its text': async ({ run, workspace }) => {
    await workspace.writeText('m.mjs', 'export default typeof require')
    await workspace.writeText('m.js', 'export default typeof require')
    await workspace.writeText('c.js', 'module.exports = [typeof require, require.main === module]')
    expectSame([(await run({ entry: 'm.mjs' })).result, (await run({ entry: 'm.js' })).result], ['undefined', 'undefined'])
    expectSame((await run({ entry: 'c.js' })).result, ['function', true])
  },
  'TypeScript runs': async ({ run }) => {
    expectSame((await run({ code: 'const n: number = 3; export default n', filename: 'x.ts' })).result, 3)
  },
  'TypeScript is imported: this Node has hooks': async ({ run, workspace }) => {
    await workspace.writeText('n.ts', 'export enum E { A = 5 }')
    const { result, stderr } = await run({ code: "import { E } from './n.ts'; export default E.A" })
    expectSame([stderr, result], ['', 5])
  },
  'a program and the workspace see what the other writes': async ({ run, workspace }) => {
    await workspace.writeText('in.txt', 'from here')
    const { result } = await run({
      code: "import fs from 'node:fs'; fs.writeFileSync('out.txt', 'from there'); export default fs.readFileSync('in.txt', 'utf8')",
    })
    expectSame([result, (await workspace.readText('out.txt')).text], ['from here', 'from there'])
  },
  'tools are called, and answer': async ({ run }) => {
    const { result, stderr } = await run({
      code: "export default await Promise.all([invokeTool('a', { n: 1 }), invokeTool('b').catch((e) => e.code)])",
      grants: {
        invokeTool: async (name, input) => {
          if (name === 'b') throw Object.assign(new Error('no'), { code: 'nope' })
          return input
        },
      },
    })
    expectSame([stderr, result], ['', [{ n: 1 }, 'nope']])
  },
  'what a child prints on the terminal is told as errors': async ({ run }) => {
    const { stdout, stderr } = await run({
      code: "import { spawnSync } from 'node:child_process'; spawnSync('node', ['-e', 'console.log(1)'], { stdio: 'inherit' }); console.log('own')",
    })
    expectSame([stdout, stderr], ['own\n', '1\n'])
  },
  'a session reads what is written to it, until its input is closed': async (stage) => {
    const { process, heard } = await start(
      stage,
      "process.stdin.setEncoding('utf8').on('data', (t) => console.log('<' + t + '>')).on('end', () => { console.log('over'); process.exitCode = 5 })",
    )
    await process.write('grün\n')
    await heard('<grün\n>')
    await process.closeInput?.()
    await heard('over')
    expectSame((await process.exited).exitCode, 5)
  },
  'a timeout ends a program that waits, with what it has printed': async ({ run }) => {
    let printed = ''
    // The start-up time of a program depends on the container, so a slow container gets longer timeouts.
    for (let timeoutMs = 1000; printed === '' && timeoutMs <= 32_000; timeoutMs *= 2) {
      const { exitCode, timedOut, stdout } = await run({ code: "console.log('begun'); setInterval(() => {}, 1000)", timeoutMs })
      expectSame([exitCode, timedOut], [null, true])
      printed = stdout
    }
    expectSame(printed, 'begun\n')
  },
  'a program that was stopped does nothing more': async ({ run, workspace }) => {
    await run({ code: "import fs from 'node:fs'; setTimeout(() => fs.writeFileSync('late', ''), 6000)", timeoutMs: 2000 })
    await workspace.host.sleep(7000)
    expectSame(await workspace.exists('late'), false)
  },
  'a timeout is answered for a loop without an end, and the next program runs': async ({ run }) => {
    const { timedOut } = await run({ code: 'for (;;) {}', timeoutMs: 3000 })
    expectSame([timedOut, (await run({ code: "console.log('works')" })).stdout], [true, 'works\n'])
  },
  'a killed session has more than 128': async (stage) => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const { process, heard } = await start(stage, "console.log('begun'); setInterval(() => {}, 1000)")
      await heard('begun')
      await process.kill(signal)
      expectSame((await process.exited).signal, signal)
    }
  },
  'nothing is left beside the workspace': async ({ run, container }) => {
    await run({ code: '' })
    await run({ code: "console.log('begun'); setInterval(() => {}, 1000)", timeoutMs: 1500 })
    await run({ code: '' })
    const entries = await container.fs.readdir('.', { withFileTypes: true })
    expectSame(
      entries.map(({ name }) => name).filter((name) => name.startsWith('.toolport-js')),
      [],
    )
  },
}

/** Each case has a folder of its own, whose virtual path equals its path in the container. */
export function jsCases(container: ProbedContainer): JsCase[] {
  return Object.entries(BODIES).map(([title, body], index) => ({
    title,
    run: async () => {
      const { js, workspace } = jsIn(container, `js-${index}`)
      try {
        await body({ js, workspace, container, run: (program) => js.run({ timeoutMs: WAIT_MS, ...program }) })
      } finally {
        await js.close?.()
      }
    },
  }))
}

export function jsIn(container: ProbedContainer, root: string): Pick<Stage, 'js' | 'workspace'> {
  const workspace = createWorkspace({ fs: createWebContainerFs({ container, root }), root: `${container.workdir}/${root}` })
  return { workspace, js: createWebContainerJs()(workspace) }
}

async function start({ js: { spawn } }: Stage, code: string): Promise<Session> {
  if (!spawn) throw new Error('The adapter has no spawn')
  return listenTo((onOutput) => spawn({ code, onOutput }))
}

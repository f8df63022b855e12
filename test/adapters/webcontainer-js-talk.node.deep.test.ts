// @module-tag webcontainer
import type { JsProgram, ShellProcess } from 'toolport'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cleanUp, freshContainer, made, rejection, run } from './webcontainer-js-fixture.js'

beforeEach(freshContainer)
afterEach(cleanUp)

describe('the input of a program', () => {
  it('can be read in every way that Node has', async () => {
    const stdin = 'grün\n🙂'
    const ways = [
      `let t = ''; for await (const c of process.stdin) t += c; export default t`,
      `import fs from 'node:fs'; export default fs.readFileSync(0, 'utf8')`,
      `import fs from 'node:fs'; export default String(fs.readFileSync('/dev/stdin'))`,
      `import { readFile } from 'node:fs'; import { promisify } from 'node:util'; export default await promisify(readFile)(0, 'utf8')`,
      `import fs from 'node:fs'; const b = Buffer.alloc(5); let t = []; for (let n; (n = fs.readSync(0, b)); ) t.push(Buffer.from(b.subarray(0, n))); export default String(Buffer.concat(t))`,
      `import fs from 'node:fs'; let t = ''; for await (const c of fs.createReadStream(null, { fd: 0, autoClose: false })) t += c; export default t`,
    ]
    for (const code of ways) expect([code, (await run({ code, stdin })).result]).toEqual([code, stdin])
  })

  it('is empty by default, and reading it does not keep the program alive', async () => {
    expect((await run({ code: `import fs from 'node:fs'; export default fs.readFileSync(0, 'utf8')` })).result).toBe('')
    expect((await run({ code: 'process.stdin.on("data", () => {})', stdin: 'x' })).exitCode).toBe(0)
  })

  it('may have 3 MB', async () => {
    const { result } = await run({
      code: `let n = 0; process.stdin.on('data', (c) => { n += c.length }); await new Promise((r) => process.stdin.on('end', r)); export default n`,
      stdin: 'x'.repeat(3_000_000),
    })
    expect(result).toBe(3_000_000)
  })
})

describe('invokeTool', () => {
  it('answers concurrent calls', async () => {
    const { result, stderr, exitCode } = await run({
      code: `export default await Promise.all([1, 2, 3].map((n) => invokeTool('twice', { n })))`,
      grants: { invokeTool: async (name, input) => ({ name, twice: (input as { n: number }).n * 2 }) },
    })
    expect(stderr).toBe('')
    expect(result).toEqual([2, 4, 6].map((twice) => ({ name: 'twice', twice })))
    expect(exitCode).toBe(0)
  })

  it('throws the tool’s error, and rejects a name that is not a string', async () => {
    const { result } = await run({
      code: `const told = async (work) => work().catch((e) => [e.name, e.message, e.code, Object.keys(e)])
        const circle = {}; circle.circle = circle
        export default [await told(() => invokeTool('a')), await told(() => invokeTool(5)), (await told(() => invokeTool('a', circle)))[0]]`,
      grants: {
        invokeTool: async () => {
          throw Object.assign(new RangeError('no'), { code: 'nope' })
        },
      },
    })
    expect(result).toEqual([
      ['RangeError', 'no', 'nope', ['code']],
      ['TypeError', 'The name of a tool is a string, not a number', null, []],
      'TypeError',
    ])
  })

  it('is undefined without the grant', async () => {
    expect((await run({ code: 'export default typeof invokeTool' })).result).toBe('undefined')
  })

  it('is cancelled when the program ends', async () => {
    let cancelled = false
    const { exitCode } = await run({
      code: `invokeTool('slow'); setTimeout(() => process.exit(7), 50)`,
      grants: {
        invokeTool: (_, __, { signal }) =>
          new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => {
              cancelled = true
              reject(signal.reason)
            }),
          ),
      },
    })
    expect([exitCode, cancelled]).toEqual([7, true])
  })

  it('accepts large inputs and outputs', async () => {
    const { result } = await run({
      code: `const text = await invokeTool('echo', 'ü'.repeat(500000)); export default text.length`,
      grants: { invokeTool: async (_, input) => `${input}🙂` },
    })
    expect(result).toBe(500_002)
  })
})

interface Session {
  readonly process: ShellProcess
  text(): string
  heard(text: string): Promise<void>
}

async function start(program: JsProgram): Promise<Session> {
  let text = ''
  let tell = (): void => {}
  const onOutput = (output: { readonly text: string }): void => {
    text += output.text
    tell()
  }
  if (!made.js.spawn) throw new Error('It cannot spawn')
  const process = await made.js.spawn({ onOutput, ...program })
  const heard = (wanted: string): Promise<void> =>
    new Promise((resolve, reject) => {
      void process.exited.then(() => (text.includes(wanted) ? resolve() : reject(new Error(`It has ended with ${JSON.stringify(text)}`))))
      tell = () => {
        if (text.includes(wanted)) resolve()
      }
      tell()
    })
  return { process, text: () => text, heard }
}

describe('spawn', () => {
  it('passes input until it is closed', async () => {
    const { process, heard, text } = await start({
      code: `process.stdin.setEncoding('utf8').on('data', (t) => process.stdout.write('<' + t + '>'))
        process.stdin.on('end', () => { console.log('end'); process.exitCode = 5 })`,
    })
    expect(process.transport).toBe('pipe')
    await process.write('eins é\n')
    await heard('<eins é\n>')
    await process.write('')
    await process.write('zwei')
    await heard('<zwei>')
    await process.closeInput?.()
    await process.closeInput?.()
    expect(await process.exited).toEqual({ exitCode: 5 })
    expect(text()).toBe('<eins é\n><zwei>end\n')
    expect(await rejection(process.write('x'))).toMatchObject({ code: 'not_running' })
    expect(await made.container.left()).toEqual([])
  })

  it('delivers input at once, also by lines', async () => {
    const at = await start({
      code: `import fs from 'node:fs'; const b = Buffer.alloc(9); console.log('at'); console.log('got ' + b.toString('utf8', 0, fs.readSync(0, b)))`,
    })
    await at.heard('at\n')
    await at.process.write('here')
    expect([await at.process.exited, at.text()]).toEqual([{ exitCode: 0 }, 'at\ngot here\n'])
    const lines = await start({
      code: `import readline from 'node:readline'; const rl = readline.createInterface({ input: process.stdin }); rl.on('line', (l) => { console.log('[' + l + ']'); if (l === 'q') rl.close() })`,
    })
    await lines.process.write('a\nq\n')
    expect([await lines.process.exited, lines.text()]).toEqual([{ exitCode: 0 }, '[a]\n[q]\n'])
  })

  it('rejects input above the limit, and the program can be killed', async () => {
    const { process, heard } = await start({ code: `console.log('begun'); setInterval(() => {}, 1000)` })
    await heard('begun')
    await process.write('x'.repeat(1024 * 1024))
    expect(await rejection(process.write('y'))).toMatchObject({ code: 'input_full' })
    await process.kill('SIGTERM')
    expect(await process.exited).toEqual({ exitCode: 143, signal: 'SIGTERM' })
    await process.kill('SIGKILL')
    expect(await made.container.left()).toEqual([])
  })

  it('accepts more input after some was read', async () => {
    const { process, heard } = await start({
      code: `let n = 0; process.stdin.on('data', (c) => { n += c.length; if (n === 3000000) console.log('all') })`,
    })
    for (let i = 0; i < 3; i++) {
      const write = async (): Promise<void> => {
        const error = await rejection(process.write('x'.repeat(1_000_000)))
        if (error === undefined) return
        expect(error).toMatchObject({ code: 'input_full' })
        await new Promise((resolve) => setTimeout(resolve, 20))
        await write()
      }
      await write()
    }
    await heard('all')
    await process.kill('SIGKILL')
    await process.exited
  })

  it('supports tool calls, and its signal ends the program', async () => {
    const controller = new AbortController()
    const { process, heard } = await start({
      code: `console.log(await invokeTool('x')); setInterval(() => {}, 1000)`,
      grants: { invokeTool: async (name) => `tool ${name}` },
      signal: controller.signal,
    })
    await heard('tool x\n')
    controller.abort()
    expect(await process.exited).toMatchObject({ signal: 'SIGKILL' })
  })

  it('is ended by close()', async () => {
    const { process, heard } = await start({ code: `console.log('begun'); setInterval(() => {}, 1000)` })
    await heard('begun')
    await made.js.close?.()
    expect(await process.exited).toMatchObject({ signal: 'SIGKILL' })
    expect(await rejection(run({ code: '' }))).toMatchObject({ name: 'JsError', code: 'unavailable' })
    expect(await made.container.left()).toEqual([])
  })
})

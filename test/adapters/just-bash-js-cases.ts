// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import { createWorkspace, type JsAdapter, type ShellAdapter, type ShellOutput, type Workspace, type WorkspaceOptions } from 'toolport'
import { createJustBashShell, type JsCommandsOptions, type JustBashShellOptions, jsCommands } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { afterEach, describe, expect, it as register } from 'vitest'
import type { TestRunner } from '../contract/index.js'
import { withGrowingTime } from '../contract/shell/case.js'
import { FILES, RECORDED } from './just-bash-js-recorded.js'

export interface JsShellOptions {
  readonly js: (workspace: Workspace) => JsAdapter
  /** Worker option of the shell. */
  readonly worker?: JustBashShellOptions['worker']
}

interface Setup {
  readonly files?: Readonly<Record<string, string>>
  readonly workspace?: Partial<WorkspaceOptions>
  readonly commands?: JsCommandsOptions
  readonly shell?: Partial<JustBashShellOptions>
}

interface Opened {
  readonly shell: ShellAdapter
  readonly workspace: Workspace
}

/** Cases for `node` and `js` as commands of a shell. */
export function jsCommandCases(name: string, { js, worker }: JsShellOptions, it: TestRunner['it'] = register): void {
  const open: (() => Promise<void> | undefined)[] = []
  const setUp = ({ files = FILES, workspace: given, commands, shell: more }: Setup = {}): Opened => {
    const workspace = createWorkspace({ fs: createMemoryFs({ files: { ...files, 'sub/.keep': '' } }), ...given })
    const adapter = js(workspace)
    const shell = createJustBashShell({
      scratch: createMemoryFs(),
      commands: jsCommands(adapter, commands),
      ...(worker !== undefined && { worker }),
      ...more,
    })(workspace)
    open.push(
      () => shell.close?.(),
      () => adapter.close?.(),
    )
    return { shell, workspace }
  }
  afterEach(async () => {
    for (const close of open.splice(0)) await close()
  })

  describe(`${name}: node in a shell`, () => {
    it('gives the recorded results of Node', async () => {
      const { shell } = setUp()
      const results: (readonly [string, string, number | null])[] = []
      for (const [line] of RECORDED) {
        const { stdout, exitCode } = await shell.exec(line)
        results.push([line, stdout, exitCode])
      }
      expect(results).toEqual(RECORDED)
    })

    it('prints errors in the words of Node', async () => {
      const { shell } = setUp()
      const told = async (line: string) => (await shell.exec(line)).stderr
      expect(await told('node no.js')).toBe("Error: Cannot find module '/workspace/no.js'\n")
      expect(await told('node -c no.js')).toBe("Error: Cannot find module '/workspace/no.js'\n")
      expect(await told('node --x')).toBe('node: bad option: --x\n')
      expect(await told('node -e')).toBe('node: -e requires an argument\n')
      expect(await told('node bad.js')).toMatch(/SyntaxError[\s\S]*\/workspace\/bad\.js:1/)
      expect(await told('node -c bad.js')).toMatch(/^\/workspace\/bad\.js\n\nSyntaxError: /)
      expect(await told('node -e \'throw new TypeError("no")\'')).toMatch(/^[\s\S]*TypeError: no\n/)
    })

    it('rejects unsupported uses and names an alternative', async () => {
      const { shell } = setUp()
      const refused = async (line: string) => {
        const { stderr, exitCode } = await shell.exec(line)
        return `${exitCode} ${stderr}`
      }
      expect(await refused('node')).toMatch(/^9 node: there is no interactive mode in this shell: name a file/)
      expect(await refused('node -i')).toMatch(/^9 node: -i is not available in this shell: there is no terminal/)
      expect(await refused('node -r ./lib args.js')).toMatch(/^9 node: -r is not available in this shell: let the program import/)
      expect(await refused('node --import=./m.mjs args.js')).toMatch(/^9 node: --import is not available/)
      expect(await refused('node --test')).toMatch(/^9 node: --test is not available in this shell: run the file itself/)
      expect(await refused('cd /tmp && node -p 1')).toMatch(/^1 node: "\/tmp" is the shell's own.*cd \/workspace first\n$/)
      expect((await shell.exec('node --no-warnings --max-old-space-size=4096 --trace-uncaught args.js')).exitCode).toBe(0)
    })

    it('prints its version and its options', async () => {
      const { shell } = setUp()
      const { stdout } = await shell.exec('node -v; node -p process.version')
      expect(stdout).toMatch(/^(v\d+\.\d+\.\d+)\n\1\n$/)
      expect((await shell.exec('node --help')).stdout).toMatch(/^Usage: node \[options\][\s\S]*--print/)
      expect((await shell.exec('js -h')).stdout).toMatch(/^Usage: js [\s\S]*default export/)
    })

    it('js runs modules and prints the default export', async () => {
      const { shell } = setUp({ files: { 'm.js': 'export default { args: process.argv.slice(2) }', 'lib.mjs': 'export const a = 1' } })
      const printed = async (line: string) => {
        const { stdout, exitCode } = await shell.exec(line)
        return [stdout, exitCode]
      }
      expect(await printed("js -e 'export default [1, await 2]'")).toEqual(['[1,2]\n', 0])
      expect(await printed('js m.js a | tr -d "[:space:]"')).toEqual(['{"args":["a"]}', 0])
      expect(await printed('js -e \'import { a } from "./lib.mjs"; console.log(a, typeof require)\'')).toEqual(['1 undefined\n', 0])
      expect(
        await printed('echo \'import fs from "node:fs"; export default fs.readFileSync(0, "utf8")\' > r.mjs; echo in | js r.mjs'),
      ).toEqual(['"in\\n"\n', 0])
      expect(await printed('js -p 1+1')).toEqual(['2\n', 0])
      expect(await printed("js -e 'export default 1; process.exit(3)'")).toEqual(['', 3])
    })

    it('resolves modules of a script in /tmp from the current directory', async () => {
      const { shell } = setUp()
      const { stdout } = await shell.exec(
        'echo \'console.log(require("./lib").name, process.argv[2])\' > /tmp/t.js; node /tmp/t.js x; cat /tmp/t.js | wc -l',
      )
      expect(stdout.replace(/ +/g, ' ')).toMatch(/^lib x\n ?1\n$/)
    })

    it('prints as the program goes', async () => {
      const { shell, workspace } = setUp()
      const { pieces, heard } = listener()
      const running = shell.exec(`node -e '${waitingFor('go')}' & wait; echo end`, { onOutput: pieces.push })
      await heard((text) => text.includes('first\n') && text.includes('aside\n'))
      expect(pieces.text()).not.toContain('second')
      await workspace.writeText('go', '')
      const { stdout, stderr } = await running
      expect([stdout, stderr]).toEqual(['first\nsecond\nend\n', 'aside\n'])
    })

    it('writes to redirected files while the program runs', async () => {
      const { shell, workspace } = setUp()
      const { pieces, heard } = listener()
      const running = shell.exec(
        `node -e '${waitingFor('go')}' > log 2>&1 & until grep -q aside log 2>/dev/null; do sleep 0.02; done; cat log; echo seen; wait; cat log`,
        { onOutput: pieces.push },
      )
      await heard((text) => text.includes('seen'))
      await workspace.writeText('go', '')
      expect((await running).stdout).toBe('first\naside\nseen\nfirst\naside\nsecond\n')
      const { stdout } = await shell.exec(
        'exec 3>&1 > f.txt; node -p 1; exec 1>&3; echo after; cat f.txt; node -p 2 >> f.txt; cat f.txt | wc -l',
      )
      expect(stdout.replace(/ /g, '')).toBe('after\n1\n2\n')
    })

    it('stops as a background job when the call is aborted', async () => {
      const { shell } = setUp()
      const { pieces, heard } = listener()
      const stop = new AbortController()
      const running = shell.exec('node -e \'console.log("up"); setInterval(() => {}, 1000)\' & wait', {
        onOutput: pieces.push,
        signal: stop.signal,
      })
      await heard((text) => text.includes('up'))
      stop.abort()
      const { exitCode, aborted } = await running
      expect([exitCode, aborted]).toEqual([null, true])
    })

    it('is killed by `kill`, and its handler receives the signal', async () => {
      const { shell } = setUp()
      const handler = 'process.on("SIGTERM", () => { console.log("told"); process.exit(0) })'
      const plain = await shell.exec(
        `node -e 'console.log(1); setInterval(() => {}, 1000)' > o & until grep -q 1 o 2>/dev/null; do sleep 0.02; done; kill %1; wait %1; echo $?`,
      )
      expect(plain.stdout).toBe('143\n')
      const told = await shell.exec(
        `node -e '${handler}; console.log(1); setInterval(() => {}, 1000)' > o2 & until grep -q 1 o2 2>/dev/null; do sleep 0.02; done; kill $!; wait $!; echo $?; cat o2`,
      )
      expect(told.stdout).toBe('143\n1\ntold\n')
    })

    it('ends with the call', async () => {
      const { shell } = setUp()
      const forever = 'node -e \'console.log("up"); setInterval(() => {}, 1000)\''
      const late = await withGrowingTime(
        (timeoutMs) => shell.exec(`${forever}; echo never`, { timeoutMs }),
        ({ stdout }) => stdout !== '',
      )
      expect([late.stdout, late.exitCode, late.timedOut]).toEqual(['up\n', null, true])
      const stop = new AbortController()
      const { pieces, heard } = listener()
      const running = shell.exec(`${forever}; echo never`, { signal: stop.signal, onOutput: pieces.push })
      await heard((text) => text.includes('up'))
      stop.abort()
      const { stdout, aborted } = await running
      expect([stdout, aborted]).toEqual(['up\n', true])
      expect((await shell.exec('node -p 1')).stdout).toBe('1\n')
    })

    it('stops a program in a busy loop at the timeout of the call', async () => {
      const { shell } = setUp()
      const { stdout, timedOut } = await withGrowingTime(
        (timeoutMs) => shell.exec('node -e \'console.log("up"); for (;;);\'; echo never', { timeoutMs }),
        ({ stdout }) => stdout !== '',
      )
      expect([stdout, timedOut]).toEqual(['up\n', true])
      expect((await shell.exec('node -p 1')).stdout).toBe('1\n')
    })

    it('reads input of a session', async () => {
      const { shell } = setUp()
      const { pieces, heard } = listener()
      const process = await shell.spawn?.('node lines.mjs; echo $?; node args.js; read x; echo "[$x]"', { onOutput: pieces.push })
      if (!process) throw new Error('there are sessions')
      await process.write('one\ntw')
      await heard((text) => text.includes('<one>'))
      await process.write('o\n')
      await heard((text) => text.includes('<two>'))
      await process.closeInput?.()
      const { exitCode } = await process.exited
      expect([pieces.text(), exitCode]).toEqual(['<one>\n<two>\n0\n[]\n[]\n', 0])
    })

    it('leaves the input of a session unread if the program does not read', async () => {
      const { shell } = setUp()
      const { pieces } = listener()
      const process = await shell.spawn?.('node args.js; read x; echo "[$x]"', { onOutput: pieces.push })
      await process?.write('line\n')
      await process?.exited
      expect(pieces.text()).toBe('[]\n[line]\n')
    })

    it('receives signals of a session', async () => {
      const { shell } = setUp()
      const { pieces, heard } = listener()
      const process = await shell.spawn?.(
        'node -e \'process.on("SIGINT", () => { console.log("bye"); process.exit(0) }); console.log("up"); setInterval(() => {}, 1000)\'',
        { onOutput: pieces.push },
      )
      await heard((text) => text.includes('up'))
      await process?.kill('SIGINT')
      expect(await process?.exited).toMatchObject({ exitCode: 130, signal: 'SIGINT' })
      expect(pieces.text()).toBe('up\nbye\n')
    })

    it('takes the input of the call only if the program reads', async () => {
      const { shell } = setUp()
      const { stdout } = await shell.exec('node args.js; cat; node upper.js', { stdin: 'given\n' })
      expect(stdout).toBe('[]\ngiven\n')
      expect((await shell.exec('node upper.js; cat', { stdin: 'given\n' })).stdout).toBe('GIVEN\n')
      const files = { 'cli.js': 'require("./read")', 'read.js': 'process.stdin.pipe(process.stdout)' }
      expect((await setUp({ files }).shell.exec('node cli.js', { stdin: 'far\n' })).stdout).toBe('far\n')
    })

    it('streams much output, up to the limit of the script', async () => {
      const { shell } = setUp({ shell: { limits: { outputBytes: 2 ** 20 } } })
      const much = await shell.exec('node -e \'for (let i = 0; i < 3e3; i++) console.log(String(i).padStart(63, "é"))\' | wc -lc')
      expect(much.stdout.trim().split(/\s+/)[0]).toBe('3000')
      const { stdout, exitCode } = await shell.exec('node -e \'for (let i = 0; i < 2e4; i++) console.log("x".repeat(99))\'; echo never', {
        maxBytes: 100,
      })
      expect(stdout).not.toContain('never')
      expect(exitCode).toBe(126)
    })

    it('runs concurrently with other programs', async () => {
      const { shell } = setUp()
      const lines = await Promise.all([1, 2, 3, 4].map((n) => shell.exec(`node -p ${n} & node -p ${n}0; wait`)))
      expect(lines.map(({ stdout }) => stdout.split('\n').sort().join(' '))).toEqual([' 1 10', ' 2 20', ' 3 30', ' 4 40'])
    })

    it('follows its grants for files and tools', async () => {
      const writes = 'node -e \'fs.writeFileSync("new.txt", "x")\'; cat new.txt'
      expect((await setUp().shell.exec(writes)).stdout).toBe('x')
      const read = await setUp({ commands: { grants: { fs: 'read' } } }).shell.exec(writes)
      expect([read.stdout, /EROFS/.test(read.stderr)]).toEqual(['', true])
      const locked = await setUp({ workspace: { policy: { readOnly: true } } }).shell.exec(`${writes}; node args.js still`)
      expect([locked.stdout, /EROFS/.test(locked.stderr)]).toEqual(["[ 'still' ]\n", true])
      const bare = await setUp().shell.exec('node -p "typeof fetch + typeof invokeTool"')
      expect(bare.stdout).toBe('undefinedundefined\n')
      const invokeTool = async (tool: string, input: unknown) => ({ tool, input })
      const tools = await setUp({ commands: { grants: { invokeTool } } }).shell.exec('js -e \'export default await invokeTool("t", 1)\'')
      expect(tools.stdout).toBe('{"tool":"t","input":1}\n')
    })

    it('exists only where it is registered, under the given names', async () => {
      const one = setUp({ commands: { names: ['js'] } }).shell
      expect((await one.exec('js -p 1; node -p 1')).exitCode).toBe(127)
      const none = setUp({ shell: { commands: [] } }).shell
      const { stderr, exitCode } = await none.exec('node -p 1')
      expect([exitCode, stderr.split('\n')[0]]).toEqual([127, 'bash: node: command not found'])
    })

    it('ends at its memory limit', async () => {
      const { shell } = setUp({ commands: { memoryBytes: 24 * 2 ** 20 } })
      const { stdout } = await shell.exec("node -e 'const a = []; for (;;) a.push(new Array(1e5).fill(1))' 2>/dev/null; echo $?; node -p 1")
      expect(stdout).toBe('134\n1\n')
    })
  })
}

/** A program that prints, waits for a file, and prints again. */
const waitingFor = (file: string): string =>
  `console.log("first"); console.error("aside"); const { readFile } = require("fs/promises"); const look = () => readFile("${file}").then(() => console.log("second"), () => setTimeout(look, 20)); look()`

function listener(): {
  readonly pieces: { push(output: ShellOutput): void; text(): string }
  heard(wanted: (text: string) => boolean): Promise<void>
} {
  let text = ''
  let check = (): void => undefined
  return {
    pieces: {
      push(output) {
        text += output.text
        check()
      },
      text: () => text,
    },
    heard: (wanted) =>
      new Promise((resolve) => {
        check = () => {
          if (wanted(text)) resolve()
        }
        check()
      }),
  }
}

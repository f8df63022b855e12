import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { findChromium } from '../../../scripts/chromium.mjs'

const ARGUMENTS = ['--headless', '--no-sandbox', '--no-first-run', '--disable-gpu', '--remote-debugging-port=0', 'about:blank']

/** A Chromium with its own profile, whose processes can be killed and started again on the same profile. */
export interface KillableBrowser {
  newPage(address: string): Promise<Page>
  /** Sends SIGKILL to all processes of the browser. `newPage` then starts another browser on the same profile. */
  kill(): Promise<void>
  /** Closes the browser and deletes the profile. */
  end(): Promise<void>
}

interface Running {
  readonly child: ChildProcess
  readonly gone: Promise<void>
  readonly browser: Browser
  readonly context: BrowserContext
}

export function createKillableBrowser(): KillableBrowser {
  const profile = mkdtempSync(join(tmpdir(), 'toolport-kill-'))
  let running: Running | undefined
  // The browser has its own process group, so an interrupted test run would not end it.
  const onExit = (): void => {
    if (running) killGroup(running.child)
  }
  process.once('exit', onExit)

  async function kill(): Promise<void> {
    const was = running
    running = undefined
    if (!was) return
    killGroup(was.child)
    await was.gone
    await was.browser.close().catch(() => undefined)
  }

  return {
    async newPage(address) {
      running ??= await start(profile)
      const page = await running.context.newPage()
      await page.goto(address)
      return page
    },
    kill,
    async end() {
      await kill()
      process.off('exit', onExit)
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Kills the whole group, which includes renderers and services. */
function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
}

async function start(profile: string): Promise<Running> {
  const executable = await findChromium()
  if (!executable) throw new Error('No Chromium found: `node scripts/chromium.mjs` says what to do')
  const child = spawn(executable, [`--user-data-dir=${profile}`, ...ARGUMENTS], { detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const browser = await chromium.connectOverCDP(await debuggerOf(child))
  const [context] = browser.contexts()
  if (!context) throw new Error('Chromium has no default context')
  return { child, gone, browser, context }
}

function debuggerOf({ stderr }: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    stderr?.on('data', (chunk: Buffer) => {
      output += String(chunk)
      const address = /DevTools listening on (ws:\S+)/.exec(output)?.[1]
      if (address !== undefined) resolve(address)
    })
    stderr?.on('close', () => reject(new Error(`Chromium ended:\n${output}`)))
  })
}

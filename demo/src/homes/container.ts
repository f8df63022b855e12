import { WebContainer } from '@webcontainer/api'
import type { FsAdapter } from 'toolport'
import { createWebContainerFs } from 'toolport/adapters/webcontainer'

const WAIT_MS = 60_000

/** The boot of the page's only container. A container that does not answer never rejects, so `boot` must not start a second one. */
let booting: Promise<WebContainer> | undefined

/** Storage in a folder of the page's WebContainer. */
export function createContainerFs(name: string): FsAdapter {
  return createWebContainerFs({ container: boot, root: folderOf(name) })
}

async function boot(): Promise<WebContainer> {
  booting ??= WebContainer.boot({ coep: 'require-corp', workdirName: 'toolport' }).catch((cause: unknown) => {
    booting = undefined
    throw new Error(`The WebContainer did not start: ${String(cause)}`, { cause })
  })
  return Promise.race([booting, late()])
}

function late(): Promise<never> {
  const fail = (reject: (error: Error) => void): void =>
    reject(new Error('The WebContainer has not started within a minute: its vendor’s site may be out of reach.'))
  return new Promise((_, reject) => setTimeout(fail, WAIT_MS, reject))
}

/** Encodes any workspace name as the name of one folder. */
const folderOf = (name: string): string => `workspace-${encodeURIComponent(name)}`

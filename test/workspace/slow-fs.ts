import type { FsAdapter } from 'toolport'

type Method = (...args: never[]) => Promise<unknown>

/** An adapter whose calls take some turns of the event loop before and after their work, like storages other than memory. */
export function slowFs(fs: FsAdapter, turns: () => number = () => 1): FsAdapter {
  const methods = Object.entries(fs).map(([key, value]) => [key, typeof value === 'function' ? slowed(value as Method) : value])
  return Object.fromEntries(methods) as FsAdapter

  function slowed(method: Method): Method {
    return async (...args) => {
      await pass(turns())
      try {
        return await method(...args)
      } finally {
        await pass(turns())
      }
    }
  }
}

/** The adapter without some of its optional methods. */
export function withoutMethods(fs: FsAdapter, ...names: (keyof FsAdapter)[]): FsAdapter {
  return Object.fromEntries(Object.entries(fs).filter(([key]) => !names.includes(key as keyof FsAdapter))) as unknown as FsAdapter
}

async function pass(turns: number): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setTimeout(resolve, 0))
}
